/* The games this client can draw.  Another game is one line here.  Each is
 * fetched when its first table is opened. */
import type { GameView } from './board';

const loaders: Record<string, () => Promise<GameView>> = {
  nova: async () => (await import('./nova')).nova,
  terrax: async () => (await import('./terrax')).terrax,
  mystica: async () => (await import('./mystica')).mystica,
};

const views = new Map<string, GameView>();

/** Fetches what draws the game; undefined if nothing here can. */
export async function loadView(game: string): Promise<GameView | undefined> {
  const load = loaders[game];
  if (load && !views.has(game)) views.set(game, await load());
  return views.get(game);
}

export const drawable = (game: string): boolean => game in loaders;
