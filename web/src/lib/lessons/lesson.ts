/* Small positions to solve.  They are played on the real rules; a lesson only
 * says where they begin and what counts as solved. */
import type { Scene, Step } from '../engine/types';

export interface Exercise {
  id: string;
  /** a position, as it is imported */
  start: string;
  /** spaces to point at */
  targets: string[];
  solved(scene: Scene, log: Step[]): boolean;
  /** one way to do it */
  solution: string[];
  title(): string;
  text(): string;
}

export interface Lesson {
  game: string;
  title(): string;
  exercises: Exercise[];
}

const loaders: Record<string, () => Promise<Lesson>> = {
  nova: async () => (await import('./nova')).lesson,
  terrax: async () => (await import('./terrax')).lesson,
};

export const hasLesson = (game: string): boolean => game in loaders;
export const loadLesson = (game: string): Promise<Lesson> | undefined => loaders[game]?.();

/* ---- what somebody has solved, kept in this browser ---- */

const KEY = 'terrarium.lessons';

function kept(): Record<string, string[]> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

export const solvedOf = (game: string): string[] => {
  const list: unknown = kept()[game];
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
};

function keep(game: string, list: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [game]: list }));
  } catch {
    /* private mode: known until the page is left */
  }
}

export const remember = (game: string, id: string): void => keep(game, [...new Set([...solvedOf(game), id])]);
/** Where what a guided game has explained is kept. */
export const toldOf = (game: string): string => `${game}.told`;
export const forget = (game: string): void => keep(game, []);
