/* What players have to say by themselves. */
import type { Scene } from '../engine/types';

/** A scene and the effects of its actions without those that must be thought of:
 *  whatever a table shows or lists cannot hint at a claim it does not know
 *  (terrax §9). */
export function unsaid<T>(scene: Scene, effects: T[]): { scene: Scene; effects: T[] } {
  const told = (scene.actions as { kind?: string }[]).map(({ kind }) => kind !== 'claim');
  if (told.every(Boolean)) return { scene, effects };
  const actions = scene.actions.filter((_, i) => told[i]);
  return { scene: { ...scene, actions }, effects: effects.filter((_, i) => told[i]) };
}
