/* Values that seldom change, read from something that often does. */
import { untrack } from 'svelte';
import { kept } from './table/kept';

/** What depends on it is not even asked again until it has become another;
 *  after a derived value everything would be, to find that nothing changed. */
export function steady<T>(read: () => T, same: (before: T, now: T) => boolean = Object.is): { readonly now: T } {
  let now = $state.raw(untrack(read));
  $effect.pre(() => {
    const next = read();
    if (!same(untrack(() => now), next)) now = next;
  });
  return { get now() { return now; } };
}

export const sameList = <T>(before: readonly T[], now: readonly T[]): boolean => before.length === now.length && before.every((one, i) => one === now[i]);

/** A list made at once, whose entries stay the same objects while they say the
 *  same: what shows an entry is not asked again when another has changed. */
export function listed<T>(read: () => T[]): { readonly now: T[] } {
  let before: T[] = [];
  const now = $derived((before = kept(before, read())));
  return { get now() { return now; } };
}

/** Whether something is on the screen: {@attach sight.of}. */
export class Sight {
  now = $state(false);
  of = (element: Element): (() => void) => {
    const watch = new IntersectionObserver((list) => { this.now = list.at(-1)!.isIntersecting; });
    watch.observe(element);
    return () => watch.disconnect();
  };
}
