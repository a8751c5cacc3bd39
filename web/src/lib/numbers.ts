/* Points as people read them: thousandths as +12.3, −4.0, or +12,3 where a
 * comma is written. */
import { digits } from './say.svelte';

export const signed = (milli: number): string => `${milli < 0 ? '−' : '+'}${digits(Math.abs(milli) / 1000, 1)}`;

export const minus = (points: number): string => String(points).replace('-', '−');

/** The points of a match, best first: 41 – 34; a dash does not go with a minus. */
export const scores = (points: number[]): string =>
  [...points].sort((a, b) => b - a).map(minus).join(points.some((n) => n < 0) ? ' : ' : ' – ');
