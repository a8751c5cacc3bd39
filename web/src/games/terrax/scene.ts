/* The scene and effects of Terra-X, as rules/terrax writes them. */
import type { Scene, Step } from '../../lib/engine/types';

export type Kind = 'mission' | 'red' | 'green' | 'start' | 'edge';
export type Continent = 'europe' | 'asia' | 'africa' | 'namerica' | 'samerica' | 'oceania';
export type Letter = 'A' | 'B' | 'C';
export type Right = 'base' | 'green' | 'loop' | 'cheque';

export interface Place {
  /** of the drawing; the two drawings of an edge station share `place` */
  id: string;
  place: string;
  kind: Kind;
  continent: Continent | null;
  x: number;
  y: number;
  /** legs from the start */
  distance: number;
  name: Record<string, string>;
  text?: Record<string, string>;
}

export interface Leg {
  id: string;
  a: string;
  b: string;
  start?: number;
}

/** A piece on the map: from and to are places, tail and tip drawings. */
export interface Piece {
  branch: boolean;
  from: string;
  to: string;
  leg: string;
  tail: string;
  tip: string;
}

export interface Expedition {
  colour: Letter;
  supply: number;
  head: string | null;
  arrows: Piece[];
}

export interface Mission {
  card: string;
  at: 'hidden' | 'hand' | 'open' | 'swap' | 'done' | 'won';
  seat: number | null;
  marker: number | null;
  /** legs from each head; null: that colour has no arrows left */
  heads: (number | null)[];
  nearest: number;
}

export interface Tally {
  own: number;
  open: number;
  left: number;
  markers: number;
  board: number;
  total: number;
}

export interface TerraxSeat {
  seat: number;
  points: number;
  place: number;
  cards: number;
  /** null: hidden */
  cheques: number | null;
  /** the cards the viewer knows */
  hand: string[];
  done: string[];
  won: string[];
  marks: { card: string; won: boolean }[];
  tally: Tally;
  out: boolean;
}

export type ActionKind = Right | 'remove' | 'swap' | 'keep' | 'mark' | 'claim' | 'late' | 'end' | 'pass';

export interface TerraxAction {
  text: string;
  kind: ActionKind;
  colour?: Letter;
  from?: string;
  to?: string;
  leg?: string;
  tail?: string;
  tip?: string;
  card?: string | null;
  /** what its button says where several are offered */
  label?: string;
}

export interface TerraxScene extends Scene {
  game: 'terrax';
  /** whose view it is; null: everybody's */
  viewer: number | null;
  phase: 'mark' | 'turn' | 'swap' | 'claims' | 'over';
  round: number;
  seat: number;
  lastRound: boolean;
  rights: { base: number; green: number; loop: Letter | null; loops: number; used: number; cheques: number };
  swap: { seat: number; aside: string | null; drawn: (string | null)[] } | null;
  colours: Expedition[];
  missions: Mission[];
  open: (string | null)[];
  seats: TerraxSeat[];
  stack: number;
  actions: TerraxAction[];
  options: Record<string, string | number>;
  /** earth: its places lie where they are in the world */
  map: { name: string; own: boolean; earth: boolean; places: Place[]; legs: Leg[] };
}

export interface TerraxEffect {
  text: string;
  kind: ActionKind;
  completed: { card: string; seat: number; open: boolean; marker: boolean }[];
  opened: string[];
  points: number[];
  cheques: number[];
  green: number;
  loop: boolean;
  over: boolean;
}

export type TerraxStep = Step<TerraxEffect>;

export const letters: Letter[] = ['A', 'B', 'C'];

/** What a piece of notation is about. */
export interface Reading {
  colour?: Letter;
  from?: string;
  to?: string;
  card?: string;
}

/** Colour and places of an arrow, a removal, a card: only what the text says. */
export function reading(text: string): Reading {
  const arrow = /^[+$]?([ABC])>(\w+)/.exec(text) ?? /^\$([ABC])-(\w+)/.exec(text);
  if (arrow) return { colour: arrow[1] as Letter, to: arrow[2]! };
  const loop = /^~([ABC])(?:@(\w+))?>(\w+)/.exec(text);
  if (loop) return { colour: loop[1] as Letter, ...(loop[2] ? { from: loop[2] } : {}), to: loop[3]! };
  const card = /^(?:\$x|\$!|=|\d:|!\d:)([A-Za-z]\w*)/.exec(text);
  return card ? { card: card[1]! } : {};
}

const rights: Right[] = ['base', 'green', 'loop', 'cheque'];

/** The right arrows are shown for: the one asked for, else the first that costs nothing. */
export function rightOf(scene: TerraxScene, wanted: Right | null): Right | null {
  const there = (right: Right): boolean => scene.actions.some((action) => action.kind === right);
  if (wanted && there(wanted)) return wanted;
  return rights.slice(0, 3).find(there) ?? null;
}

/** Own missions are completed when their player says so (§9). */
export const manual = (scene: TerraxScene): boolean => scene.options.claims === 'manual';

/** The claim of a card, where the viewer may claim at all: every card of the hand
 *  has one, whatever stands on the map, for the player alone has to see it. */
export function claimOf(scene: TerraxScene, card: string): TerraxAction | null {
  const own = scene.viewer !== null && scene.seats[scene.viewer]?.hand.includes(card);
  return own && manual(scene) && ['turn', 'claims'].includes(scene.phase) ? { text: `!${scene.viewer! + 1}:${card}`, kind: 'claim', card } : null;
}

/** The viewer does nothing but claim now: it is another's turn, or the game is over. */
export const claiming = (scene: TerraxScene): boolean =>
  manual(scene) && scene.viewer !== null && (scene.phase === 'claims' || (scene.phase === 'turn' && scene.viewer !== scene.seat));

/** Letter and legs of the head that is nearest to a mission. */
export function nearestHead(mission: Mission): { letter: Letter; legs: number } | null {
  let best: { letter: Letter; legs: number } | null = null;
  mission.heads.forEach((legs, i) => {
    if (legs !== null && (!best || legs < best.legs)) best = { letter: letters[i]!, legs };
  });
  return best;
}
