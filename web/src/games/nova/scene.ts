/* The scene and effects of Terra Nova, as rules/nova writes them. */
import type { Scene, Step } from '../../lib/engine/types';

export interface Cell {
  hex: string;
  x: number;
  y: number;
  land: number;
}

export interface NovaAction {
  text: string;
  kind: 'move' | 'stone' | 'place' | 'pass';
  from?: string;
  to?: string;
}

export interface NovaSeat {
  colour: string;
  points: number;
  place: number;
  pioneers: number;
  hand: number;
  out: boolean;
}

export interface NovaScene extends Scene {
  game: 'nova';
  board: { name: string; title: string; landscapes: { letter: string; name: string }[] };
  cells: Cell[];
  stones: string[];
  pioneers: { hex: string; seat: number }[];
  closed: string[][];
  seats: NovaSeat[];
  phase: 'place' | 'play' | 'over';
  seat: number;
  action: number;
  moved: { home: string; now: string | null }[];
  placed: number;
  supply: number | null;
  quiet: number;
  quiet_limit: number;
  actions: NovaAction[];
}

export interface Territory {
  hexes: string[];
  size: number;
  variety: number;
  factor: number;
  value: number;
  gains: { seat: number; points: number }[];
  removed: string[];
}

export interface NovaEffect extends NovaAction {
  territories: Territory[];
  ending: string | null;
  next: number;
}

export type NovaStep = Step<NovaEffect>;

/** Territories scored in the first `count` steps. */
export function scored(log: NovaStep[], count: number): Territory[] {
  return log.slice(0, count).flatMap((step) => step.effect?.territories ?? []);
}

const names: Record<string, string> = { y: 'sun', r: 'peak', b: 'wave', g: 'leaf' };
export const seatName = (colour: string): string => names[colour] ?? 'moon';

const landscapes = ['lake', 'forest', 'meadow', 'farmland', 'prairie', 'steppe', 'hills', 'rock'];

/** The token of each landscape: by name where it is one of ours, else by position. */
export function landTokens(scene: NovaScene): string[] {
  const list = scene.board.landscapes.map((land) => (landscapes.includes(land.name) ? land.name : ''));
  const unused = landscapes.filter((name) => !list.includes(name));
  return list.map((name) => name || unused.shift() || 'rock');
}
