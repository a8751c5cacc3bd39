/* What every page shows of the games played together; filled by
 * online/attention, which is fetched only for who plays there. */
export const together = $state<{
  /** the name here, '' for nobody */
  name: string;
  /** tables of the server that wait for me */
  waiting: number;
  /** one of them is on the screen */
  here: boolean;
  /** goes to the next one */
  next: (() => Promise<void>) | null;
  /** recovery codes that must be seen now, once */
  codes: string[] | null;
}>({ name: '', waiting: 0, here: false, next: null, codes: null });

const KEY = 'terrarium.online';

/** Has somebody of this browser been at the tables of the server? */
export function known(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function remember(yes: boolean): void {
  try {
    if (yes) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    /* private mode: the lobby still knows */
  }
}
