/* What the C side tells: games, scenes, steps, faults.  Nothing here knows the
 * rules of a game; scenes of single games are typed in games/<name>/. */

export interface Option {
  name: string;
  kind: 'choice' | 'number' | 'set';
  choices: string[];
  low: number;
  high: number;
  /** null: follows the edition, board or preset */
  preset: number | null;
  help: string;
}

export interface Format {
  name: string;
  suffix: string;
  help: string;
  reads: boolean;
  writes: boolean;
}

export interface GameInfo {
  name: string;
  title: string;
  about: string;
  seatsMin: number;
  seatsMax: number;
  seatsUsual: number;
  hidden: boolean;
  estimates: boolean;
  ranks: boolean;
  endings: string[];
  options: Option[];
  formats: Format[];
  /** bot levels, weakest first */
  levels: string[];
}

export interface Fault {
  name: string;
  phrase: string;
  paragraph: string | null;
  line: number;
  column: number;
  subject: string;
}

/** Keys every game's scene has. */
export interface Scene {
  game: string;
  seats: { points: number; place?: number }[];
  must: number;
  may: number;
  ending: string | null;
  actions: { text: string }[];
}

export interface Step<Effect = unknown> {
  seat: number;
  kind: 'action' | 'drop' | 'stop' | 'takeover';
  reason?: string;
  text?: string;
  effect?: Effect;
  points: number[];
  /** the turn ended here: undo stops */
  last: boolean;
}

export interface Status {
  game: string;
  seats: number;
  count: number;
  total: number;
  fence: number;
  seat: number;
  must: number;
  may: number;
  over: boolean;
}

export interface Snapshot {
  status: Status;
  scene: Scene;
  /** steps from the index asked for */
  log: Step[];
}

/** A snapshot, who sees it so, and the whole match as text. */
export interface Turned extends Snapshot {
  viewer: number;
  text: string | null;
}

export interface Choice {
  text: string;
  /** worth to the seat that plays it, thousandths of a point */
  milli: number;
}

/** What a search has found so far. */
export interface Thought {
  best: string;
  nodes: number;
  /** leads over the mean of the rivals, thousandths of a point */
  top: { text: string; value: number; visits: number }[];
  /** expected final points per seat in thousandths, null if unknown */
  values: number[] | null;
}

export type Refusable<T> = { ok: true; value: T } | { ok: false; fault: Fault };

export const SPECTATOR = -1;
export const EVERYTHING = -2;
