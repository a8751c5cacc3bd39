/* Thousandths of a point as people read them: +12.3, −4.0. */
export const signed = (milli: number): string => `${milli < 0 ? '−' : '+'}${(Math.abs(milli) / 1000).toFixed(1)}`;
