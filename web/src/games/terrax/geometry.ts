/* Where pieces lie on the map.  Only geometry: what is legal comes with the
 * scene. */
import type { Leg, Letter, Piece, Place, TerraxScene } from './scene';

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  key: string;
  width: number;
  height: number;
  /** every drawing by its id */
  at: Map<string, Place>;
  /** the drawings of a place */
  drawings: Map<string, Place[]>;
  legs: Map<string, Leg>;
  legPath: string;
  /** does the world's coast fit it? */
  world: boolean;
  /** places joined to a place */
  next: Map<string, Set<string>>;
}

const WIDTH = 1800;
const HEIGHT = 940;

function build(map: TerraxScene['map'], key: string): Layout {
  const at = new Map(map.places.map((place) => [place.id, place]));
  const drawings = new Map<string, Place[]>();
  for (const place of map.places) drawings.set(place.place, [...(drawings.get(place.place) ?? []), place]);
  const next = new Map<string, Set<string>>();
  const join = (a: string, b: string): void => { next.set(a, (next.get(a) ?? new Set()).add(b)); };
  for (const leg of map.legs) {
    const a = at.get(leg.a)!.place;
    const b = at.get(leg.b)!.place;
    join(a, b);
    join(b, a);
  }
  const right = Math.max(...map.places.map((place) => place.x));
  const bottom = Math.max(...map.places.map((place) => place.y));
  const world = map.earth;
  const line = (leg: Leg): string => { const a = at.get(leg.a)!; const b = at.get(leg.b)!; return `M${a.x} ${a.y}L${b.x} ${b.y}`; };
  return {
    key, at, drawings, next, world,
    width: world ? WIDTH : right + 60,
    height: world ? HEIGHT : bottom + 60,
    legs: new Map(map.legs.map((leg) => [leg.id, leg])),
    legPath: map.legs.map(line).join(''),
  };
}

let known: Layout | null = null;

/** The layout of a scene's map; the same object as long as the map is the same. */
export function layoutOf(scene: Pick<TerraxScene, 'map'>): Layout {
  const { map } = scene;
  const key = `${map.name} ${map.places.map((p) => `${p.id}${p.x},${p.y}`).join()} ${map.legs.length}`;
  if (known?.key !== key) known = build(map, key);
  return known;
}

export interface Lying {
  colour: Letter;
  piece: Piece;
  /** index on the route of its colour */
  index: number;
  /** units to the side, seen along the leg from a to b */
  side: number;
}

const APART = 9;

/** All arrows, those that share a leg side by side. */
export function lying(scene: Pick<TerraxScene, 'colours'>, layout: Layout): Lying[] {
  const byLeg = new Map<string, Lying[]>();
  for (const { colour, arrows } of scene.colours)
    arrows.forEach((piece, index) => {
      const list = byLeg.get(piece.leg) ?? [];
      byLeg.set(piece.leg, [...list, { colour, piece, index, side: 0 }]);
    });
  for (const [leg, list] of byLeg) {
    const { a } = layout.legs.get(leg)!;
    /* Those that run the same way lie together. */
    list.sort((p, q) => Number(p.piece.tail !== a) - Number(q.piece.tail !== a) || p.colour.localeCompare(q.colour));
    list.forEach((one, i) => (one.side = (i - (list.length - 1) / 2) * APART));
  }
  return [...byLeg.values()].flat();
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** Shaft and head of an arrow from one drawing to another, moved to the side
 * as seen along a to b of its leg. */
export function shape(from: Point, to: Point, side: number, flip: boolean, z: number): { shaft: string; head: string } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const s = (flip ? -side : side) * Math.max(0.7, z);
  const pad = Math.min(16 * z, length / 3.4);
  const tip = 15 * z;
  const p = (t: number, w = 0): string => `${round(from.x + u.x * t - u.y * (s + w))} ${round(from.y + u.y * t + u.x * (s + w))}`;
  const end = length - pad;
  const neck = Math.max(end - tip, pad + 1);
  return { shaft: `M${p(pad)}L${p(neck)}`, head: `M${p(end)}L${p(neck, 10.5 * z)}L${p(neck, -10.5 * z)}Z` };
}

/** Legs from one place to every other. */
export function distances(layout: Layout, from: string): Map<string, number> {
  const far = new Map([[from, 0]]);
  for (const here of far.keys())
    for (const there of layout.next.get(here) ?? []) if (!far.has(there)) far.set(there, far.get(here)! + 1);
  return far;
}

export function nearest(layout: Layout, p: Point, within: number): Place | null {
  let best: Place | null = null;
  let least = within * within;
  for (const place of layout.at.values()) {
    const d = (place.x - p.x) ** 2 + (place.y - p.y) ** 2;
    if (d < least) { least = d; best = place; }
  }
  return best;
}

/** The next place towards a side: near, and not far off the straight line. */
export function towards(layout: Layout, from: Place, dx: number, dy: number): Place | null {
  let best: Place | null = null;
  let least = Infinity;
  for (const place of layout.at.values()) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const off = Math.abs((place.x - from.x) * dy - (place.y - from.y) * dx);
    if (along <= 0 || off > along * 1.6) continue;
    const cost = along + 1.5 * off;
    if (cost < least) { least = cost; best = place; }
  }
  return best;
}

export interface Label extends Point {
  place: string;
  anchor: 'start' | 'middle' | 'end';
}

type Box = [number, number, number, number];
const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

/** Puts each name where it hides least: right, left, below or above its place,
 *  moved back onto the map at its edge. Null for one that would hide another,
 *  unless it must be seen. */
export function labels(layout: Layout, wanted: { place: Place; text: string; gap: number; must: boolean }[], size: number, z: number, stand: (Point & { up: number })[] = []): (Label | null)[] {
  const around = (x: number, y: number, r: number): Box => [x - r, y - r, x + r, y + r];
  const discs = [...[...layout.at.values()].map((p) => around(p.x, p.y, 10 * z)), ...stand.map((p) => around(p.x + (p.up < 30 ? 17 * z : 0), p.y - p.up * z, 15 * z))];
  const rim = size * 0.3;
  const inward = (box: Box): number => Math.max(0, rim - box[0]) - Math.max(0, box[2] + rim - layout.width);
  const taken: Box[] = [];
  return wanted.map(({ place: p, text, gap, must }) => {
    const w = text.length * size * 0.6;
    const h = size * 1.05;
    const tries: { label: Label; box: Box }[] = [
      { label: { place: p.id, x: p.x + gap, y: p.y + size * 0.33, anchor: 'start' }, box: [p.x + gap, p.y - h / 2, p.x + gap + w, p.y + h / 2] },
      { label: { place: p.id, x: p.x - gap, y: p.y + size * 0.33, anchor: 'end' }, box: [p.x - gap - w, p.y - h / 2, p.x - gap, p.y + h / 2] },
      { label: { place: p.id, x: p.x, y: p.y + gap + size * 0.7, anchor: 'middle' }, box: [p.x - w / 2, p.y + gap - 2, p.x + w / 2, p.y + gap + h] },
      { label: { place: p.id, x: p.x, y: p.y - gap - size * 0.12, anchor: 'middle' }, box: [p.x - w / 2, p.y - gap - h, p.x + w / 2, p.y - gap] },
    ];
    const cost = ({ box }: { box: Box }): number => {
      const off = Math.abs(inward(box)) + Math.max(0, -box[1]) + Math.max(0, box[3] - layout.height);
      return taken.reduce((sum, other) => sum + 3 * overlap(box, other), 0) + discs.reduce((sum, other) => sum + overlap(box, other), 0) + 50 * off;
    };
    const best = tries.reduce((a, b) => (cost(b) < cost(a) - 1 ? b : a));
    const dx = inward(best.box);
    const box: Box = [best.box[0] + dx, best.box[1], best.box[2] + dx, best.box[3]];
    const hidden = taken.reduce((sum, other) => sum + overlap(box, other), 0);
    if (!must && hidden > 0.03 * w * h) return null;
    taken.push(box);
    return { ...best.label, x: best.label.x + dx };
  });
}
