/* What the server tells; the messages themselves are in protocol.ts. */
import type { Scene, Status, Step } from '../engine/types';

export interface Person {
  name: string;
  guest: boolean;
  online: boolean;
}

export interface Me {
  user: Person | null;
  /** the server's clock, milliseconds */
  now: number;
  /** tables that wait for me */
  waiting: number;
  settings?: Record<string, unknown>;
}

export interface Device {
  id: string;
  /** as it called itself when it signed in, or '' */
  device: string;
  /** when that was */
  created: number;
  online: boolean;
  /** the one that asks */
  here: boolean;
}

export interface Account {
  devices: Device[];
  /** names */
  blocked: string[];
}

export interface Opened {
  table: string;
  invite: string;
  /** the match has begun */
  seq?: number;
}

export interface OnlineSeat {
  user: Person | null;
  /** the level of the bot that plays here */
  bot: string | null;
  /** the one who began here has left */
  gone: boolean;
}

export interface TableInfo {
  table: string;
  game: string;
  title: string;
  state: 'open' | 'running' | 'over';
  owner: string;
  hidden: boolean;
  rated: boolean;
  pace: 'none' | 'move' | 'fischer' | 'game' | 'slow';
  /** milliseconds */
  base: number;
  more: number;
  timeout: 'bot' | 'resign';
  created: number;
  started: number;
  finished: number;
  /** mask of the seats that must act */
  asked: number;
  /** when the first clock runs out, or 0 */
  deadline: number;
  /** the rematch */
  next: string | null;
  seats: OnlineSeat[];
  /** lines of game/setup.h, without the seed and without what is given */
  setup: string;
  /** something is given: a board of one's own, tiles */
  own: boolean;
  result: { reason: string; points: number[]; places: number[] } | null;
}

export interface ListedTable extends TableInfo {
  seat: number;
  turn: boolean;
}

export interface Lobby {
  tables: ListedTable[];
  /** all there are; of those that are finished: up to this page, and one more if there is one */
  count: number;
}

export interface Clock {
  now: number;
  left: number[];
  /** mask of the clocks that run */
  running: number;
}

/** The position part is missing until the match has begun. */
export interface Position {
  status: Status;
  scene: Scene;
  /** index of the first step in `log` */
  from: number;
  log: Step[];
  effects: unknown[];
}

export interface TableView extends TableInfo, Partial<Position> {
  seq: number;
  viewer: number;
  clock: Clock | null;
  takeback: { seat: number; count: number; agreed: number } | null;
  invite?: string;
  /** the standing rule I have chosen, and those the game offers, if any */
  standing?: string;
  standings?: string[];
  /** while the table is open: what is given */
  given?: string;
}

export interface Tried extends Partial<Position> {
  /** it would reveal something: play it to see */
  final: boolean;
  /** others may speak between them: they are played one at a time */
  steps?: string[];
}

export interface ChatLine {
  by: string;
  channel: 'players' | 'spectators';
  at: number;
  text: string;
}

/** One step of a finished game; nothing of a step that was no action. All
 *  numbers are thousandths of a point. */
export interface Judged {
  best?: string;
  /** over the mean of the rivals, with the best action and with the one played */
  best_lead?: number;
  lead?: number;
  points?: number[];
}

export interface PlayerView {
  user: Person;
  since: number;
  /** by me */
  blocked: boolean;
  ratings: { game: string; mu: number; sigma: number; games: number }[];
  history: { table: string; at: number; place: number; mu: number; sigma: number }[];
  tables: ListedTable[];
  count: number;
}

export type ServerEvent =
  | ({ event: 'table' } & TableView)
  | ({ event: 'chat'; table: string } & ChatLine)
  | { event: 'turn'; table: string; title: string }
  | { event: 'analysis'; table: string; count: number }
  | { event: 'lobby' };
