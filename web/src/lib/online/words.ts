/* Tables, clocks and seats as people read them. */
import type { GameInfo } from '../engine/types';
import { levelName } from '../levels';
import { optionName, valueName } from '../options';
import { m } from '../../paraglide/messages';
import type { OnlineSeat, TableInfo } from './views';

const icons: Record<string, string> = { nova: 'territory', terrax: 'globe', mystica: 'town' };
export const gameIcon = (game: string): string => icons[game] ?? 'board';

/* Seats before anything is chosen: as the games deal them. */
const tokens: Record<string, string[]> = {
  nova: ['sun', 'peak', 'wave', 'leaf'],
  terrax: ['star', 'peak', 'leaf', 'wave', 'sun', 'moon'],
};
export const seatToken = (game: string, seat: number): string | null => tokens[game]?.[seat] ?? null;

export const isFree = (seat: OnlineSeat): boolean => !seat.user && !seat.bot;
export const seatWho = (seat: OnlineSeat): string => seat.user?.name ?? (seat.bot ? m.bot_level({ level: levelName(seat.bot) }) : m.free_seat());

const hours = (ms: number): string => {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return m.left_minutes({ count: minutes });
  if (minutes < 48 * 60) return m.left_hours({ count: Math.floor(minutes / 60) });
  return m.left_days({ days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24 });
};
/** "2 d 4 h left" */
export const leftText = (ms: number): string => m.time_left({ time: hours(ms) });

/** A clock: 1:05, 2:03:09, or days. */
export function clockText(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s >= 48 * 3600) return hours(ms);
  const minutes = `${Math.floor(s / 60) % 60}:${String(s % 60).padStart(2, '0')}`;
  return s < 3600 ? minutes : `${Math.floor(s / 3600)}:${minutes.padStart(5, '0')}`;
}

const span = (ms: number): string => {
  const s = ms / 1000;
  if (s < 120 && s % 60) return m.span_seconds({ count: s });
  if (s < 7200) return m.span_minutes({ count: Math.round(s / 60) });
  if (s < 48 * 3600) return m.span_hours({ count: Math.round(s / 3600) });
  return m.span_days({ count: Math.round(s / 86400) });
};

export function paceText(t: Pick<TableInfo, 'pace' | 'base' | 'more'>): string {
  const time = span(t.base);
  if (t.pace === 'none') return m.pace_none();
  if (t.pace === 'slow') return m.pace_text_slow({ time });
  if (t.pace === 'move') return m.pace_text_move({ time });
  if (t.pace === 'game') return m.pace_text_game({ time });
  return m.pace_text_fischer({ time, bonus: Math.round(t.more / 1000) });
}

export const isLive = (t: Pick<TableInfo, 'pace'>): boolean => t.pace === 'move' || t.pace === 'fischer' || t.pace === 'game';

/** The chosen options of a table: [name, value]. */
export const optionsOf = (t: Pick<TableInfo, 'setup'>): [string, string][] =>
  [...t.setup.matchAll(/^option ([^:\n]+): (.*)$/gm)].map((found) => [found[1]!, found[2]!]);

/** One line: "Terra Nova, Nova Island, 3 players, …" */
export function setupLine(t: TableInfo, info: GameInfo | undefined): string {
  const chosen = Object.fromEntries(optionsOf(t));
  const place = t.own ? m.own_board() : ['board', 'map'].flatMap((key) => {
    const option = info?.options.find((one) => one.name === key);
    const value = chosen[key] ?? (option && option.preset !== null ? option.choices[option.preset] : undefined);
    return value ? [valueName(t.game, key, value)] : [];
  })[0];
  return [info?.title ?? t.game, ...(place ? [place] : []), m.players_count({ count: t.seats.length })].join(', ');
}

/** What else differs from the usual. */
export const optionChips = (t: TableInfo): string[] =>
  optionsOf(t).filter(([key]) => key !== 'board' && key !== 'map').map(([key, value]) => {
    const said = valueName(t.game, key, value);
    return `${optionName(t.game, key)}: ${said}`;
  });

/** 1500 is where everybody begins; 40 points to one of the model's. */
export const rating = (mu: number): number => Math.round(1500 + 40 * (mu - 25));

/** An address that invites. */
export const linkOf = (table: string, invite: string): string => `${location.origin}${location.pathname}#/table/${table}${invite ? `/${invite}` : ''}`;
