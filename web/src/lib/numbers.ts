/* Thousandths of a point as people read them: +12.3, −4.0; +12,3 where a comma
 * is written. */
import { digits } from './say.svelte';

export const signed = (milli: number): string => `${milli < 0 ? '−' : '+'}${digits(Math.abs(milli) / 1000, 1)}`;
