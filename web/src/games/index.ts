/* The games this client can draw.  Another game is one line here. */
import type { GameView } from './board';
import { nova } from './nova';

const views: Record<string, GameView> = { nova };

export const viewOf = (game: string): GameView | undefined => views[game];
export const drawable = (game: string): boolean => game in views;
