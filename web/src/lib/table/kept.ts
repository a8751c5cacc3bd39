/* Scenes of one match resemble one another. */

type Parts = { [key: string]: unknown };
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** `now`, with every part that is as it was `before` replaced by that same
 *  object: what shows it need not look at it again. */
export function kept<T>(before: unknown, now: T): T {
  if (before === now || !isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  return (Array.isArray(now) ? keptList(before as unknown as unknown[], now) : keptParts(before, now)) as T;
}

function keptList(before: unknown[], now: unknown[]): unknown[] {
  let same = before.length === now.length;
  for (let i = 0; i < now.length; i++) {
    if (isObject(now[i])) now[i] = kept(before[i], now[i]);
    same &&= now[i] === before[i];
  }
  return same ? before : now;
}

function keptParts(before: Parts, now: Parts): Parts {
  let same = true;
  let more = 0;
  for (const key in now) {
    const old = before[key];
    if (isObject(now[key])) now[key] = kept(old, now[key]);
    same &&= now[key] === old && (old !== undefined || key in before);
    more++;
  }
  for (const _ in before) more--;
  return same && !more ? before : now;
}
