/* Scenes of one match resemble one another. */

type Parts = { [key: string]: unknown };
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** `now`, with every part that is as it was `before` replaced by that same
 *  object: what shows it need not look at it again. */
export function kept<T>(before: unknown, now: T): T {
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  const parts = now as Parts;
  let same = true;
  let left = 0;
  for (const key in parts) {
    const old = before[key];
    if (isObject(parts[key])) parts[key] = kept(old, parts[key]);
    same &&= parts[key] === old && (old !== undefined || key in before);
    left++;
  }
  if (same) for (const _ in before) left--;
  return same && left === 0 ? (before as T) : now;
}
