/* What map, hand and panels of one table share: the place looked at and what
 * the map is asked to show. */
import type { Letter, Right } from './scene';

export const ui = $state<{
  /** under the pointer, in the hand or a list */
  hover: string | null;
  /** chosen to be read about */
  pinned: string | null;
  /** a place the map should bring into view; a new object each time */
  goal: { place: string } | null;
  find: boolean;
  right: Right | null;
  colour: Letter | null;
}>({ hover: null, pinned: null, goal: null, find: false, right: null, colour: null });

export function reset(): void {
  Object.assign(ui, { hover: null, pinned: null, goal: null, find: false, right: null, colour: null });
}

/** Shows a place on the map and pins its text; a second time lets go. */
export function locate(place: string): void {
  ui.pinned = ui.pinned === place ? null : place;
  if (ui.pinned) ui.goal = { place };
}
