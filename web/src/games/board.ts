/* What a game brings to the shared frame: a board component and some words. */
import type { Component } from 'svelte';
import type { Scene, Step } from '../lib/engine/types';
import type { Choice } from '../lib/table/hands';

export interface Selection {
  hex: string;
  /** what the chosen space could mean; the first is the likeliest */
  actions: { text: string; kind?: string }[];
}

export interface Arrow {
  from?: string;
  to: string;
  label: string;
}

export interface BoardProps {
  scene: Scene;
  log: Step[];
  /** steps of the log that lead to the scene */
  count: number;
  effects?: unknown[];
  /** a person may act here */
  interactive?: boolean;
  /** a picture only */
  still?: boolean;
  small?: boolean;
  /** open with the whole board in view, on small screens too */
  fit?: boolean;
  label?: string;
  names?: string[];
  /** effects to point out, e.g. of the log entry under the pointer */
  marked?: unknown[];
  arrows?: Arrow[];
  selection?: Selection | null;
  onplay?: (text: string) => void;
  onexplain?: (space: string, attempts: string[]) => void;
  onspeak?: (text: string) => void;
  /** the board has something to show, which may be hidden on a small screen */
  onshow?: () => void;
}

export interface BoardApi {
  zoom(factor: number): void;
  back(): boolean;
  previewed(): unknown;
}

/** What a game's own panels know and may do. */
export interface PanelProps {
  scene: Scene;
  /** steps that lead to the scene */
  log: Step[];
  names: string[];
  effects: unknown[];
  /** a person may act here */
  interactive: boolean;
  selection: Selection | null;
  onplay: (text: string) => void;
  /** shows why none of these can be played now */
  onexplain?: (about: string, attempts: string[]) => void;
  /** how each seat wants its offers answered, and who changes that */
  standing?: string[];
  onstanding?: (seat: number, rule: string) => void;
  /** a first game that explains itself */
  guided?: boolean;
  /** the seats of those who share this screen */
  people?: number[];
}

/** What a game's ledger knows and may do. */
export interface LedgerProps {
  log: Step[];
  names: string[];
  /** scenes after 0, 1, ... steps, reduced to the keys it asked for */
  course: unknown[];
  at: number;
  onjump: (count: number) => void;
}

export interface GameView {
  Board: Component<BoardProps, BoardApi, 'selection'>;
  Consequence: Component<{ effect: unknown; scene: Scene; names: string[]; mine: boolean }>;
  Legend: Component<{ scene: Scene; names?: string[] }>;
  /** under the board: a hand of cards, say */
  Dock?: Component<PanelProps, Record<string, never>, 'selection' | ''>;
  /** in the action bar: what a turn still allows, and its end */
  Deeds?: Component<PanelProps, Record<string, never>, 'selection' | ''>;
  /** beside the board, between players and log */
  Panels?: Component<PanelProps, Record<string, never>, 'selection' | ''>;
  /** on the other side of a wide board */
  Aside?: Component<PanelProps, Record<string, never>, 'selection' | ''>;
  /** a table of all that happened, with charts, and the scene's keys it needs */
  Ledger?: Component<LedgerProps>;
  ledgerKeys?: string[];
  /** what else a new game asks: lines of the setup, and how seats choose */
  Setup?: Component<{ scene: Scene | null; seats: number; given: string[]; choice: Choice }, Record<string, never>, 'given' | 'choice'>;
  /** the record a guided first game begins with; the first seat is the learner's */
  lesson?: string;
  /** an action to be tried before the table opens, where much depends on each */
  rehearsal?(scene: Scene): string | undefined;
  /** what a standing rule answers for the seat of this scene, or null */
  standing?(scene: Scene, rule: string): string | null;
  /** tokens of the seats, in order */
  seatTokens(scene: Scene): string[];
  /** the line of counts under a seat's name */
  seatFacts(scene: Scene, seat: number): string[];
  /** seats in the order of their turns, where that is not the order of the list */
  order?(scene: Scene): number[] | null;
  /** supply bar under the players, if the game has one */
  supply(scene: Scene, log: Step[]): { label: string; left: number; all: number } | null;
  /** chip in the players' header, under the title */
  subtitle(scene: Scene, log: Step[]): string;
  /** the question asked now and its explanation */
  prompt(scene: Scene, mine: boolean): { title: string; hint: string };
  /** the steps of the turn, done, present and to come */
  stages(scene: Scene, draft: Step[], complete: boolean): { text: string; state: 'done' | 'now' | 'later' }[];
  /** what the button for this action says, and its glyph */
  deed(action: { text: string; kind?: string }): { text: string; glyph: string };
  /** the action as people read it */
  actionText(step: Step): string;
  /** a sentence for screen readers and event lines */
  eventText(step: Step, names: string[]): string;
  /** where an action points, for arrows */
  arrow(text: string): { from?: string; to: string } | null;
  /** the hint beside that question */
  otherHint?(action: { text: string; kind?: string }, scene: Scene): string;
  /** actions as they are typed, for an example */
  typed?: string;
  /** the question when an action waits for its button */
  question(action: { text: string; kind?: string }): string;
  /** an action that is advised; unless told: its notation */
  advice?(action: { text: string; kind?: string }): string;
  /** what the reader of a record remarked, as a sentence */
  remarks?(text: string): Promise<string>;
  /** what an attempt that was refused would have been */
  attempt?(text: string): string;
  /** the arithmetic of what a step scored, a line each */
  scoreLines(step: Step, names: string[]): string[];
  /** what a step paid and brought, a line each, where the arithmetic does not say it all */
  gave?(step: Step, before: Scene, after: Scene, names: string[]): Promise<string[]>;
  endingText(reason: string): string;
  /** the part of a match a step belongs to: turns count anew in each */
  phase(step: Step): string;
  /** is this the last step of a turn?  Unless told: one that cannot be taken back */
  ends?(step: Step): boolean;
  /** does this action end a turn that need not be confirmed again? */
  settles?(action: { text: string; kind?: string }, scene: Scene): boolean;
}
