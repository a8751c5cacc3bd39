/* Standing rules for power offers: "always", "never", or a most number of VP. */
import type { MysticaScene } from './scene';

/** The answer to the offer the seat of this scene is asked about, or null. */
export function answer(scene: MysticaScene, rule: string): string | null {
  const take = scene.actions.find((action) => action.kind === 'leech');
  const decline = scene.actions.find((action) => action.kind === 'decline');
  if (!rule || rule === 'ask' || !decline || scene.actions.some((action) => action.kind === 'coin')) return null;
  const offer = scene.offers.find((one) => one.to === scene.report);
  if (!offer) return null;
  const wanted = rule === 'always' || (rule !== 'never' && offer.price <= Number(rule));
  return wanted && take ? take.text : decline.text;
}
