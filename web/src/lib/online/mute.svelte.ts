/* Whom somebody does not want to read; kept in this browser. */

const KEY = 'terrarium.muted';

function load(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

let names = $state.raw(load());

export const muted = (name: string): boolean => names.includes(name);

export function mute(name: string, yes: boolean): void {
  if (yes === muted(name)) return;
  names = yes ? [...names, name].slice(-200) : names.filter((one) => one !== name);
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    /* private mode: until the page is left */
  }
}
