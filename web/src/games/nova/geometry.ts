/* Where hexes lie and which lines run between them.  Only geometry: which
 * moves are legal comes with the scene. */
import type { Cell, NovaScene } from './scene';

export const R = 30; /* centre to corner */
const U = R * Math.sqrt(3); /* between neighbouring centres */
const MARGIN = 56;

export interface Point {
  x: number;
  y: number;
}

export interface Place extends Point {
  hex: string;
  land: number;
  /** index of the row, from the top */
  row: number;
}

export interface Layout {
  key: string;
  width: number;
  height: number;
  places: Place[];
  at: Map<string, Place>;
  /** all hexes as one path, and per landscape */
  outline: string;
  lands: string[];
  borders: string;
}

const round = (n: number): string => n.toFixed(1).replace(/\.0$/, '');

/** Corners of a hex with a corner on top, clockwise from the top. */
export function corners(c: Point, r: number): Point[] {
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2;
    return { x: c.x + r * Math.cos(angle), y: c.y + r * Math.sin(angle) };
  });
}

export const points = (c: Point, r: number): string =>
  corners(c, r).map((p) => `${round(p.x)},${round(p.y)}`).join(' ');

export const hexPath = (c: Point, r = R): string =>
  `M${corners(c, r).map((p) => `${round(p.x)} ${round(p.y)}`).join('L')}Z`;

export type Direction = 'e' | 'se' | 'sw' | 'w' | 'nw' | 'ne';
const steps: Record<Direction, Point> = {
  e: { x: U, y: 0 },
  se: { x: U / 2, y: 1.5 * R },
  sw: { x: -U / 2, y: 1.5 * R },
  w: { x: -U, y: 0 },
  nw: { x: -U / 2, y: -1.5 * R },
  ne: { x: U / 2, y: -1.5 * R },
};
/* The side towards each direction, as corner numbers of corners(). */
const sides: Record<Direction, [number, number]> = { ne: [0, 1], e: [1, 2], se: [2, 3], sw: [3, 4], w: [4, 5], nw: [5, 0] };
const directions = Object.keys(steps) as Direction[];

export function nearest(layout: Layout, p: Point, within = R): Place | null {
  let best: Place | null = null;
  let least = within * within;
  for (const place of layout.places) {
    const d = (place.x - p.x) ** 2 + (place.y - p.y) ** 2;
    if (d < least) {
      least = d;
      best = place;
    }
  }
  return best;
}

export function neighbour(layout: Layout, from: Place, towards: Direction): Place | null {
  const step = steps[towards];
  return nearest(layout, { x: from.x + step.x, y: from.y + step.y }, R / 2);
}

/** The sides of hexes that `apart` says lie between two things. */
function edges(layout: Pick<Layout, 'places'> & { at: Map<string, Place> }, hexes: Place[], apart: (a: Place, b: Place | null) => boolean): string {
  let path = '';
  for (const place of hexes)
    for (const d of directions) {
      const other = neighbour(layout as Layout, place, d);
      if (!apart(place, other)) continue;
      const all = corners(place, R);
      const [a, b] = sides[d];
      path += `M${round(all[a]!.x)} ${round(all[a]!.y)}L${round(all[b]!.x)} ${round(all[b]!.y)}`;
    }
  return path;
}

/** The border of a set of hexes. */
export function rim(layout: Layout, hexes: string[]): string {
  const inside = new Set(hexes);
  const places = hexes.flatMap((hex) => layout.at.get(hex) ?? []);
  return edges(layout, places, (_, other) => !other || !inside.has(other.hex));
}

export const area = (layout: Layout, hexes: string[]): string =>
  hexes.map((hex) => hexPath(layout.at.get(hex)!)).join('');

/** Where a label on these hexes reads best: the hex nearest to their middle. */
export function middle(layout: Layout, hexes: string[]): Point {
  const all = hexes.map((hex) => layout.at.get(hex)!);
  const mean = { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length };
  return all.reduce((best, p) => (Math.hypot(p.x - mean.x, p.y - mean.y) < Math.hypot(best.x - mean.x, best.y - mean.y) ? p : best));
}

const known = new Map<string, Layout>();

/** The layout of a scene's board; the same object as long as the board is the same. */
export function layoutOf(scene: Pick<NovaScene, 'cells' | 'board'>): Layout {
  const key = scene.cells.map((c) => c.hex + c.land).join();
  let layout = known.get(key);
  if (!layout) known.set(key, (layout = build(key, scene.cells, scene.board.landscapes.length)));
  return layout;
}

function build(key: string, cells: Cell[], lands: number): Layout {
  const left = Math.min(...cells.map((c) => c.x));
  const right = Math.max(...cells.map((c) => c.x));
  const bottom = Math.max(...cells.map((c) => c.y));
  const places = cells.map((c) => ({
    hex: c.hex,
    land: c.land,
    row: Math.round(c.y / (Math.sqrt(3) / 2)),
    x: (c.x - left) * U + U / 2 + MARGIN,
    y: c.y * U + R + MARGIN * 0.7,
  }));
  const at = new Map(places.map((p) => [p.hex, p]));
  const layout: Layout = {
    key,
    places,
    at,
    width: (right - left + 1) * U + 2 * MARGIN,
    height: bottom * U + 2 * R + MARGIN * 1.4,
    outline: places.map((p) => hexPath(p)).join(''),
    lands: Array.from({ length: lands }, (_, land) => places.filter((p) => p.land === land).map((p) => hexPath(p)).join('')),
    borders: '',
  };
  layout.borders = edges(layout, places, (a, b) => b !== null && a.land < b.land);
  return layout;
}
