/* Power actions, special actions and conversions as they can be chosen now. */
import type { Selection } from '../board';
import { powerActions, type MysticaAction, type MysticaScene } from './scene';
import { spaceName, upper } from './words';

export interface PowerChoice { id: string; glyph: string; cost: number; burn: number; used: boolean; action: MysticaAction | null }

/* A turn in which the main action is still to come can also be passed. */
export const acting = (scene: MysticaScene): boolean => scene.phase === 'actions' && scene.actions.some((a) => a.kind === 'pass');

/** The six, with what must be burnt first where power is short. */
export function powerChoices(scene: MysticaScene, interactive: boolean): PowerChoice[] {
  const me = scene.seats[scene.report ?? -1];
  return powerActions.map(({ id, power, glyph }, i) => {
    const legal = interactive ? scene.actions.find((a) => a.text === `action ${id}`) : undefined;
    const plan = interactive ? scene.plans.find((a) => a.kind === 'action' && a.text.endsWith(` action ${id}`)) : undefined;
    const burn = Number(/^burn (\d+)/.exec(plan?.text ?? '')?.[1] ?? 0);
    return { id, glyph, cost: me?.prices?.[i] ?? power, burn, used: scene.used.includes(id), action: legal ?? plan ?? null };
  });
}

/** What pressing one of them chooses; one that cannot be taken tells why. */
export function choosePower({ id, action }: PowerChoice, onexplain?: (about: string, attempts: string[]) => void): Selection | null {
  if (!action) onexplain?.(upper(spaceName(id)), [`action ${id}`]);
  return action && { hex: id, actions: [action] };
}

/** What it is without the burning and converting before it. */
export const bare = (text: string): string => text.replace(/^(?:(?:burn|convert) [^.]*\. )+/, '');

/** Actions of a kind, and those that burning and converting would allow. */
export const offered = (scene: MysticaScene, kind: string): MysticaAction[] => [...scene.actions, ...scene.plans].filter((a) => a.kind === kind);

export const specials = (scene: MysticaScene): MysticaAction[] => offered(scene, 'action').filter((a) => !/ACT\d$/.test(a.text));
/** The action space that is used: "ACTA". */
export const spaceOf = (action: MysticaAction): string => bare(action.text).slice(7);

/** Burning and each conversion by its smallest step; of workers to priests every
 * one, since the first ends that right. */
export function conversions(scene: MysticaScene): MysticaAction[] {
  const seen = new Set<string>();
  return scene.actions.filter((action) => {
    if (action.kind !== 'convert' && action.kind !== 'burn') return false;
    const sort = action.kind === 'burn' ? 'burn' : action.text.replace(/\d+/g, (n) => (/W to \d+P/.test(action.text) ? n : ''));
    if (seen.has(sort)) return false;
    seen.add(sort);
    return true;
  });
}
