/* The guided first game of Terra Mystica: begun, or gone on with where it was
 * left.  Kept are the rounds that were played and what has been explained. */
import type { GameView } from '../../games/board';
import { m } from '../../paraglide/messages';
import type { GameInfo, Refusable } from '../engine/types';
import { levelName, usualLevel } from '../levels';
import { settings } from '../settings.svelte';
import { isSavedGame, listGames } from '../store/db';
import { createLesson } from '../table/local.svelte';
import { forget, solvedOf, toldOf } from './lesson';

export function beginGuided(view: GameView, info: GameInfo): Promise<Refusable<string>> {
  /* Somebody who learns the game should not be beaten by it at once. */
  const level = info.levels.includes('novice') ? 'novice' : usualLevel(info.levels);
  forget(toldOf(info.name));
  return createLesson(view, `${info.title} · ${m.mt_guide()}`, [{ name: settings.name || m.you(), player: 'human' }, { name: levelName(level), player: level }]);
}

/** The game that was left before its two rounds were over, or a new one. */
export async function goOnGuided(view: GameView, info: GameInfo): Promise<Refusable<string>> {
  const left = solvedOf(info.name).length < 2 ? (await listGames()).filter(isSavedGame).filter((one) => one.game === info.name && one.guided && !one.summary.over) : [];
  const last = left.sort((a, b) => b.updated - a.updated)[0];
  return last ? { ok: true, value: last.id } : beginGuided(view, info);
}
