/* Made by `terra protocol --typescript`; do not edit. */
import type { Fault, Scene } from '../engine/types';
import type { Account, ChatLine, Judged, Lobby, Me, Opened, PlayerView, TableView, Tried } from './views';

export interface Commands {
  /** who am I here (anyone) */
  hello: { ask: Record<string, never>; reply: Me };
  /** play at once under a free name (anyone) */
  guest: { ask: { name: string; device?: string }; reply: Me };
  /** make an account; a guest keeps games and seats (anyone) */
  register: { ask: { name: string; password: string; device?: string }; reply: Me & { codes: string[] } };
  /** sign in (anyone) */
  login: { ask: { name: string; password: string; device?: string }; reply: Me };
  /** end this session (anyone) */
  logout: { ask: Record<string, never>; reply: Record<string, never> };
  /** where you are signed in, and whom you have blocked (a guest or account) */
  account: { ask: Record<string, never>; reply: Account };
  /** end your sessions on other devices (a guest or account) */
  signout: { ask: { device?: string }; reply: Record<string, never> };
  /** change the password; other devices are signed out (an account) */
  password: { ask: { password: string; fresh: string }; reply: Record<string, never> };
  /** set a new password with a recovery code, which is then used up (anyone) */
  recover: { ask: { name: string; code: string; password: string }; reply: Record<string, never> };
  /** delete the account and its notes; a bot takes its seats, finished games stay without the name (a guest or account) */
  delete: { ask: { password?: string }; reply: Record<string, never> };
  /** account, ratings, tables, notes and what you said (a guest or account) */
  export: { ask: Record<string, never>; reply: { user: unknown; ratings: PlayerView['ratings']; tables: string[]; notes: { table: string; text: string }[]; said: { table: string; at: number; text: string }[] } };
  /** neither play nor hear a player (a guest or account) */
  block: { ask: { name: string; block?: boolean }; reply: Record<string, never> };
  /** tell the operator about a player (a guest or account) */
  report: { ask: { name: string; text: string }; reply: Record<string, never> };
  /** keep the client's settings (a guest or account) */
  settings: { ask: { settings: string }; reply: Record<string, never> };
  /** a new secret address of an Atom feed of your turns (a guest or account) */
  feed: { ask: Record<string, never>; reply: { path: string } };
  /** a player's ratings, their history and results (anyone) */
  player: { ask: { name: string; game?: string }; reply: PlayerView };
  /** list tables, and hear of changes (anyone) */
  lobby: { ask: { filter?: 'open' | 'mine' | 'running' | 'finished'; game?: string; page?: number }; reply: Lobby };
  /** another table where it is your turn (a guest or account) */
  next: { ask: { from?: string }; reply: { table: string | null } };
  /** open a table (a guest or account) */
  create: { ask: { setup: string; title?: string; pace?: 'none' | 'move' | 'fischer' | 'game' | 'slow'; base?: number; more?: number; timeout?: 'bot' | 'resign'; hidden?: boolean; rated?: boolean; bots?: string[] }; reply: Opened };
  /** take a free seat; the match begins when none is left (a guest or account) */
  join: { ask: { table: string; invite?: string }; reply: Opened };
  /** give a free seat to a bot (who opened the table) */
  bot: { ask: { table: string; level: string }; reply: Opened };
  /** give up the seat; in a match a bot takes it and counts for nobody (who sits at the table) */
  leave: { ask: { table: string }; reply: Record<string, never> };
  /** see a table, and hear of changes (who may see the table) */
  watch: { ask: { table: string; invite?: string; since?: number; viewer?: number }; reply: TableView };
  /** hear no more of table and lobby (anyone) */
  unwatch: { ask: Record<string, never>; reply: Record<string, never> };
  /** play actions; answered when they are stored (who sits at the table) */
  play: { ask: { table: string; line: string; key: string; seq?: number }; reply: { seq: number } };
  /** see what actions would do; nothing is kept (who sits at the table) */
  try: { ask: { table: string; line: string }; reply: Tried };
  /** why actions would be refused (who sits at the table) */
  explain: { ask: { table: string; line: string; texts?: string[] }; reply: { faults: (Fault | null)[] } };
  /** an earlier position (who may see the table) */
  scene: { ask: { table: string; invite?: string; count?: number }; reply: { scene: Scene } };
  /** the match as text, as far as you may know it (who may see the table) */
  record: { ask: { table: string; invite?: string; format?: string; count?: number }; reply: { text: string } };
  /** what the strongest bot thinks of each step of a finished game, as far as it has got (a guest or account) */
  analyse: { ask: { table: string; invite?: string }; reply: { steps: number; judged: Judged[] } };
  /** let the server answer by a rule of the game, also while you are away (who sits at the table) */
  standing: { ask: { table: string; rule: string }; reply: Opened };
  /** ask the others to let you take back your last play (who sits at the table) */
  takeback: { ask: { table: string }; reply: Record<string, never> };
  /** agree to a take-back or refuse it (who sits at the table) */
  answer: { ask: { table: string; yes?: boolean }; reply: Record<string, never> };
  /** give up; with three or more the others play on (who sits at the table) */
  resign: { ask: { table: string }; reply: { seq: number } };
  /** once more; the first opens the table, the others join it (who sits at the table) */
  rematch: { ask: { table: string }; reply: Opened };
  /** talk to the players, or as a spectator to spectators (a guest or account) */
  chat: { ask: { table: string; invite?: string; text: string }; reply: Record<string, never> };
  /** what was said (who may see the table) */
  chats: { ask: { table: string; invite?: string }; reply: { lines: ChatLine[] } };
  /** keep a private note on a table (a guest or account) */
  note: { ask: { table: string; invite?: string; text: string }; reply: Record<string, never> };
  /** your note on a table (a guest or account) */
  notes: { ask: { table: string; invite?: string }; reply: { text: string } };
}

export type Command = keyof Commands;
