/* Standing rules for power offers: "always", "never", or a most number of VP. */
import { offerOf, type Offer, type MysticaScene } from './scene';

/* Where there is no room left, nothing is taken. */
const wanted = ({ gain, price }: Offer, rule: string): boolean => gain > 0 && (rule === 'always' || (rule !== 'never' && price <= Number(rule)));

/** The answer to the first offer the seat of this scene is asked about, or null. */
export function answer(scene: MysticaScene, rule: string): string | null {
  const decline = scene.actions.find((action) => action.kind === 'decline');
  const offer = decline && offerOf(scene, decline);
  if (!rule || rule === 'ask' || !offer || scene.actions.some((action) => action.kind === 'coin')) return null;
  return wanted(offer, rule) ? decline.text.replace('decline', 'leech') : decline.text;
}
