/* Each continent has an outline of its own, beside its colour: a disc, two
 * triangles, a cross and two pills can be told apart at ten pixels, also from
 * the squares and diamonds of the stations. */
import type { Continent } from './scene';

/* Outlines around 0,0; discs of radius 1 and all others look equally large. */
const corners: Record<'asia' | 'africa' | 'namerica', [number, number][]> = {
  asia: [[0, -1.22], [1.16, 0.84], [-1.16, 0.84]],
  africa: [[0, 1.22], [1.16, -0.84], [-1.16, -0.84]],
  namerica: [[-0.42, -1.14], [0.42, -1.14], [0.42, -0.42], [1.14, -0.42], [1.14, 0.42], [0.42, 0.42], [0.42, 1.14], [-0.42, 1.14], [-0.42, 0.42], [-1.14, 0.42], [-1.14, -0.42], [-0.42, -0.42]],
};
const short = (n: number): string => String(Math.round(n * 100) / 100);

/* Half circles joined by straight sides of `w` and `h`. */
const pill = (r: number, w: number, h: number): string =>
  `M${short(-r - w)} ${short(-h)}a${short(r)} ${short(r)} 0 0 1 ${short(r)} ${short(-r)}h${short(2 * w)}a${short(r)} ${short(r)} 0 0 1 ${short(r)} ${short(r)}v${short(2 * h)}a${short(r)} ${short(r)} 0 0 1 ${short(-r)} ${short(r)}h${short(-2 * w)}a${short(r)} ${short(r)} 0 0 1 ${short(-r)} ${short(-r)}z`;

/** The outline of a continent's missions about as large as a disc of that radius. */
export function outline(continent: Continent | null, radius: number): string {
  switch (continent) {
    case 'samerica': return pill(0.66 * radius, 0, 0.6 * radius);
    case 'oceania': return pill(0.66 * radius, 0.6 * radius, 0);
    case null:
    case 'europe': return pill(radius, 0, 0);
    default: return `M${corners[continent].map(([x, y]) => `${short(x * radius)} ${short(y * radius)}`).join('L')}Z`;
  }
}
