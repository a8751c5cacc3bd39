/** Milliseconds before the next attempt to come back, after so many that
 *  failed: soon, never so late that a restarted server waits two seconds for
 *  anybody, and not everybody at the same moment. */
export const pause = (failed: number, chance = Math.random()): number => Math.min(1500, 100 * 2 ** failed) * (0.5 + chance / 2);

/** Silence after which the line is asked whether it is still there. */
export const QUIET_MS = 20_000;
/** ... and after which it is taken for lost. */
export const LOST_MS = 28_000;
