/* Scenes of one match resemble one another. */

type Parts = { [key: string]: unknown };
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** `now`, with every part that is as it was `before` replaced by that same
 *  object: what shows it need not look at it again. */
export function kept<T>(before: unknown, now: T): T {
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  const keys = Object.keys(now);
  let same = Object.keys(before).length === keys.length;
  for (const key of keys) {
    const part = kept(before[key], now[key]);
    (now as Parts)[key] = part;
    same &&= part === before[key];
  }
  return same ? (before as T) : now;
}
