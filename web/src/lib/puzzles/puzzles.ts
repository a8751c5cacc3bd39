/* A turn to solve for every day: sets of them come with the program, made and
 * solved by `terra puzzles`.  Here is only which one a day has, and what
 * somebody has reached. */

export interface Puzzle {
  /** points of the best turn, of the best below it, and of one action alone */
  best: number;
  next: number;
  quick: number;
  /** different ends of the turn, and those with the most points */
  ends: number;
  ways: number;
  /** one best turn, action by action */
  line: string[];
  /** the position, as it is imported */
  start: string;
}

export const puzzleGames = [['nova', 'Terra Nova'], ['terrax', 'Terra-X'], ['mystica', 'Terra Mystica']] as const;
export const puzzleTitle = (game: string): string | undefined => puzzleGames.find(([name]) => name === game)?.[1];

const number = (head: string, key: string): number => Number(new RegExp(` ${key} (-?\\d+)`).exec(head)?.[1] ?? NaN);

/** The puzzles of a set; blocks that are not whole are left out. */
export function readSet(text: string): Puzzle[] {
  return text.split('\n\n').flatMap((block) => {
    const [head = '', play = '', ...start] = block.replace(/^\n+/, '').split('\n');
    if (!head.startsWith('puzzle ') || !play.startsWith('play ') || !start.length) return [];
    return [{
      best: number(head, 'best'), next: number(head, 'next'), quick: number(head, 'quick'), ends: number(head, 'ends'), ways: number(head, 'ways'),
      line: play.slice(5).split('; '), start: `${start.join('\n')}\n`,
    }];
  });
}

const sets = new Map<string, Promise<Puzzle[]>>();

/** Fetches a set once; offline the service worker has it. */
export function loadSet(game: string): Promise<Puzzle[]> {
  if (!sets.has(game)) {
    const asked = fetch(`./puzzles/${game}.txt`).then(async (answer) => {
      if (!answer.ok) throw new Error(`no puzzles of ${game}`);
      return readSet(await answer.text());
    });
    asked.catch(() => sets.delete(game));
    sets.set(game, asked);
  }
  return sets.get(game)!;
}

/* ---- days: YYYY-MM-DD, the reader's own ---- */

const two = (n: number): string => String(n).padStart(2, '0');
export const today = (now = new Date()): string => `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;

/** Days since 1970 of a date as it is written, or NaN. */
export function dayNumber(date: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  return new Date(time).toJSON()?.startsWith(date) ? time / 86_400_000 : NaN;
}
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const daysBefore = (date: string, days: number): string => dateOf(dayNumber(date) - days);
/** The date in words, in the reader's language. */
export const dateText = (date: string, locale: string, style: 'full' | 'medium' = 'full'): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' }).format(dayNumber(date) * 86_400_000);

/* Sets hold one kind of table after the other: steps of this length meet all
 * of 365 and mix them. */
const STRIDE = 152;
export const indexOf = (date: string, count: number): number => (dayNumber(date) * STRIDE) % count;

/** 1 to 3: how few of all turns are the best. */
export const levelOf = ({ ways, ends }: Puzzle): number => (ways * 1000 > ends * 2 ? 1 : ways * 10_000 > ends * 3 ? 2 : 3);

/* ---- what somebody has reached, kept in this browser ---- */

export interface Reached {
  /** most points of a turn */
  points: number;
  solved: boolean;
  /** the solution was looked at before it was found */
  shown?: boolean;
}

const KEY = 'terrarium.puzzles';

export function reached(): Record<string, Reached> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Record<string, Reached>) : {};
  } catch {
    return {};
  }
}

/** Keeps the better of what was and what is now. */
export function remember(game: string, date: string, now: Reached): void {
  const all = reached();
  const before = all[`${game}/${date}`];
  const kept: Reached = before
    ? { points: Math.max(before.points, now.points), solved: before.solved || now.solved, ...(before.shown || (now.shown && !before.solved) ? { shown: true } : {}) }
    : now;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [`${game}/${date}`]: kept }));
  } catch {
    /* private mode: known until the page is left */
  }
}

/** Days in a row, up to this one or the day before it, with a puzzle solved by oneself. */
export function streak(date: string, all = reached()): number {
  const good = (day: string): boolean => puzzleGames.some(([game]) => all[`${game}/${day}`]?.solved && !all[`${game}/${day}`]?.shown);
  let from = good(date) ? date : daysBefore(date, 1);
  let days = 0;
  for (; good(from); from = daysBefore(from, 1)) days++;
  return days;
}
