/* A table: one match, the people and bots around it, and what they may do.
 *
 * The page draws a table and calls it; whether the match runs in this
 * browser's worker or on a server is the table's affair. */
import type { Fault, GameInfo, Scene, Status, Step, Thought } from '../engine/types';
import type { SeatSetup } from '../store/db';

export interface Table {
  readonly id: string;
  readonly info: GameInfo;
  readonly seats: SeatSetup[];
  title: string;

  /* All of these are reactive. */
  readonly scene: Scene;
  readonly status: Status;
  readonly log: Step[];
  /** one per scene action, in the same order; empty while not known */
  readonly effects: unknown[];
  /** steps that can no longer be taken back */
  readonly committed: number;
  /** who is asked now: for a finished but unconfirmed turn still its player */
  readonly actor: number;
  /** the seat that must take the screen before its cards are shown, or -1 */
  readonly curtain: number;
  /** whose view this is: a seat, SPECTATOR or EVERYTHING */
  readonly viewer: number;
  /** a person at this screen may act for the actor */
  readonly mine: boolean;
  /** the turn is complete and waits for its confirmation */
  readonly complete: boolean;
  /** the seat a bot is thinking for, or -1 */
  readonly thinking: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** time each seat has used, milliseconds */
  readonly used: number[];
  /** only bots sit here */
  readonly exhibition: boolean;
  /** how each seat wants its offers answered; unset: it is asked */
  readonly standing: string[];
  /** a first game that explains itself */
  readonly guided: boolean;
  /** the seat that speaks out of turn, or -1 */
  readonly claimer?: number;
  /** seats of this screen that may */
  readonly claimants?: number[];
  claim?(seat: number): Promise<void>;
  /** whoever speaks out of turn gives the word back */
  release?(): Promise<void>;
  paused: boolean;
  speed: number;
  /** what is shown did not happen, and nobody sees it */
  readonly rehearsing?: boolean;
  /** saving failed, or the rules crashed: shown until the page is left */
  readonly trouble: string | null;

  /** Plays a line of notation for the actor; a fault and nothing played if refused.
   *  `final`: a turn that ends with it is confirmed, too. */
  play(line: string, final?: boolean): Promise<Fault | null>;
  /** The seat behind the curtain has taken the screen. */
  lift(): Promise<void>;
  confirm(): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** Takes back whole turns up to the last one of a person. */
  takeBack(): Promise<void>;
  resign(): Promise<void>;
  setStanding(seat: number, rule: string): Promise<void>;
  explain(texts: string[]): Promise<(Fault | null)[]>;
  sceneAt(count: number): Promise<Scene>;
  /** The best actions of a seat after `at` steps (-1: now), or null if nobody knows. */
  analyse(at: number, seat: number): Promise<Thought | null>;
  estimates(): Promise<number[][] | null>;
  /** Text in the format of that index, or null if it cannot be written so. */
  write(format: number, count: number): Promise<string | null>;
  rename(title: string): Promise<void>;
  close(): void;
}
