/* Where hexes lie: the scene gives centres one apart, the drawing is in units. */
import type { Cell } from './scene';

export const R = 31; /* centre to corner */
const U = R * Math.sqrt(3);
const MARGIN = 12;

export interface Point { x: number; y: number }
export interface Place extends Point { cell: string; river: boolean; coast: string; land: string; ring: string }
export interface Layout { width: number; height: number; places: Place[]; at: Map<string, Place> }

export const hexPath = ({ x, y }: Point, r: number): string =>
  `M${[0, 1, 2, 3, 4, 5].map((i) => `${(x + r * Math.sin((Math.PI / 3) * i)).toFixed(1)} ${(y - r * Math.cos((Math.PI / 3) * i)).toFixed(1)}`).join('L')}Z`;

const known = new Map<string, Layout>();

/** The same object for the same map. */
export function layoutOf(cells: Cell[]): Layout {
  const key = cells.map((cell) => cell.cell).join();
  let layout = known.get(key);
  if (!layout) known.set(key, (layout = build(cells)));
  return layout;
}

function build(cells: Cell[]): Layout {
  const left = Math.min(...cells.map((c) => c.x));
  const right = Math.max(...cells.map((c) => c.x));
  const bottom = Math.max(...cells.map((c) => c.y));
  const places = cells.map((c) => {
    const at = { x: (c.x - left) * U + U / 2 + MARGIN, y: c.y * U + R + MARGIN };
    return { ...at, cell: c.cell, river: c.terrain === 'river', coast: hexPath(at, R), land: hexPath(at, R - 1.4), ring: hexPath(at, R - 3.4) };
  });
  return { places, at: new Map(places.map((p) => [p.cell, p])), width: (right - left + 1) * U + 2 * MARGIN, height: bottom * U + 2 * R + 2 * MARGIN };
}

export function nearest(layout: Layout, p: Point, within = R): Place | null {
  let best: Place | null = null;
  let least = within;
  for (const place of layout.places) {
    const far = Math.hypot(place.x - p.x, place.y - p.y);
    if (far < least) {
      least = far;
      best = place;
    }
  }
  return best;
}

/** The neighbour in one of six directions; up and down lean by the row. */
export function neighbour(layout: Layout, from: Place, dx: number, dy: number): Place | null {
  return nearest(layout, { x: from.x + (dy ? (dx || 0.5) * U * (dx ? 0.5 : 1) : dx * U), y: from.y + dy * 1.5 * R }, R * 0.7);
}
