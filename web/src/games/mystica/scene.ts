/* The scene and effects of Terra Mystica, as rules/mystica writes them. */
import type { Scene, Step } from '../../lib/engine/types';

export interface Amounts { C: number; W: number; P: number; PW: number }

/** Points are gained, all else is paid. */
export interface Advance { C: number; W: number; P: number; VP: number }

export interface Cell {
  cell: string;
  x: number;
  y: number;
  terrain: string;
  piece?: string;
  seat?: number;
  town?: number;
}

export interface MysticaAction {
  text: string;
  kind: string;
  cell?: string;
  to?: string;
  /** what it is transformed into; of plans only the volcano */
  terrain?: string;
  piece?: string;
  /** spades bought first, in actions put together here */
  spades?: number;
}

export interface Purse {
  home: string;
  colour: string;
  tile: string;
  C: number;
  W: number;
  P: number;
  cap: number;
  bowls: [number, number, number];
  cults: number[];
  keys: number;
  ship: number;
  dig: number;
  spade: number;
  /** what another step costs and gives, as long as there is one */
  next_ship?: Advance;
  next_dig?: Advance;
  card: string;
  /** on the map: dwellings, trading houses, temples, strongholds, sanctuaries, special tiles */
  pieces: number[];
  favours: number[];
  bridges: number;
  town_tiles: number;
  /** the tiles themselves, as far as they are known */
  towns: number[];
  used_favour: boolean;
  used_ability: boolean;
  /** the faction's action space, if it has one now */
  ability: string;
  /** index of the cell with the special terrain tile, or -1 */
  tile_at: number;
  /** what the six power actions cost this seat */
  prices: number[];
  yields: Yields;
  due: Record<string, number>;
  income: Record<string, Amounts>;
  cult_bonus: number;
  sources: Record<string, number>;
  projected: { network: number; network_size: number; extra: number; extra_value: number; cults: number[]; resources: number };
}

export type MysticaSeat = { faction: string; title: string; points: number; place?: number; passed: boolean; dropped: boolean } & Partial<Purse>;
export type Player = MysticaSeat & Purse;

export interface ScoreTile { id: string; text: string; cult: string; per: number; bonus: Amounts; spades: number }
export interface Card { id: string; coins: number; seat: number; used: boolean; income: Amounts }
export interface Offer { to: number; from: number; amount: number; gain: number; price: number; coin: boolean }
export interface Reach { cell: string; spades: number; W: number; C: number; P: number; flight: boolean }

export interface MysticaScene extends Scene {
  game: 'mystica';
  round: number;
  phase: 'nominate' | 'bid' | 'pick' | 'colour' | 'dwell' | 'cards' | 'cult' | 'income' | 'actions' | 'over';
  active: number;
  left: number;
  started: boolean;
  /** whoever chooses a faction does so from what was dealt */
  dealt: boolean;
  order: number[];
  map: string;
  cells: Cell[];
  bridges: { seat: number; from: string; to: string }[];
  score: ScoreTile[];
  final: string;
  cards: Card[];
  favours: number[];
  towns: number[];
  /** per track: seat + 1 on the four spaces, 0 if free */
  priests: number[][];
  used: string[];
  offers: Offer[];
  lots: { faction: string; bid: number; seat: number }[];
  seats: MysticaSeat[];
  report?: number;
  reach?: Reach[];
  actions: MysticaAction[];
  /** every faction while they are chosen */
  deck: FactionCard[];
  /** every scoring tile, likewise */
  score_deck: ScoreTile[];
  /** special terrain tiles are in play */
  landscapes: boolean;
  /** what burning, converting and digging would make possible */
  plans: Plan[];
}

/** Several actions in a row that lead to one that is not legal yet. */
export interface Plan extends MysticaAction { exchange: boolean; effect: MysticaEffect }

/** What an action would do, as far as that is known: `effects` are those of the scene's actions. */
export const effectOf = (scene: MysticaScene, effects: unknown[], action: { text: string } | undefined): MysticaEffect | null =>
  action ? ((action as Plan).effect ?? (effects as MysticaEffect[])[scene.actions.findIndex(({ text }) => text === action.text)] ?? null) : null;

export interface FactionCard {
  id: string; home: string; tile: string; C: number; W: number; P: number; bowls: number[]; cults: number[];
  /** -1: no ships at all */
  ship: number; spade: number; spade_priests: boolean; build: { W: number; C: number }[];
}

/** Income by the number of buildings on the map. */
export interface Yields {
  SA: number; SH: Amounts; D_W: number[]; TP_C: number[]; TP_PW: number[]; TE_P: number[]; TE_PW: number[]; spade: number[]; ship_from: number; ship_max: number;
}

export interface Change extends Partial<Amounts> {
  VP: number;
  /** power tokens on the board */
  tokens?: number;
  /** cult steps still to be paid for a volcano */
  pay?: number;
  keys?: number;
  spades?: number;
  favour_tiles?: number;
  town_tiles?: number;
  bowls: [number, number, number];
  cults: number[];
  /** cult steps made, by track */
  steps: number[];
}

export interface MysticaEffect {
  text?: string;
  kind: string;
  seat_change?: Change;
  /** what others could take now, and the points it costs them */
  offers?: { seat: number; amount: number; gain: number; price: number; coin: boolean }[];
  warnings?: { wastes: string; count: number }[];
}

export type MysticaStep = Step<MysticaEffect>;

const terrains: Record<string, string> = {
  yellow: 'desert', brown: 'plains', black: 'swamp', blue: 'lakes', green: 'forest', gray: 'mountains', red: 'wasteland', ice: 'ice', volcano: 'volcano', river: 'river',
};
/** The token of a colour: "green" is forest. */
export const terrainOf = (colour: string | undefined): string => terrains[colour ?? ''] ?? 'river';

export const wheel = ['desert', 'plains', 'swamp', 'lakes', 'forest', 'mountains', 'wasteland'];
export const tracks = ['FIRE', 'WATER', 'EARTH', 'AIR'];
export const pieces = ['D', 'TP', 'TE', 'SH', 'SA'];
export const most = [8, 4, 3, 1, 1];
export const pieceGlyphs: Record<string, string> = { D: 'dwelling', TP: 'trading-house', TE: 'temple', SH: 'stronghold', SA: 'sanctuary', X: 'favour' };
export const cultGlyphs: Record<string, string> = { FIRE: 'cult-fire', WATER: 'cult-water', EARTH: 'cult-earth', AIR: 'cult-air' };
export const unitGlyphs: Record<string, string> = { C: 'coin', W: 'worker', P: 'priest', PW: 'power', VP: 'vp', spades: 'spade', keys: 'key' };

export interface Favour { id: number; track: string; steps: number }
const favourSteps = [3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1];
export const favours: Favour[] = favourSteps.map((steps, i) => ({ id: i + 1, track: tracks[i % 4]!, steps }));

export const townPoints = [5, 7, 9, 6, 8, 2, 4, 11];
/** Printed prices of the power actions. */
export const powerActions = [
  { id: 'ACT1', power: 3, glyph: 'bridge' }, { id: 'ACT2', power: 3, glyph: 'priest' }, { id: 'ACT3', power: 4, glyph: 'worker' },
  { id: 'ACT4', power: 4, glyph: 'coin' }, { id: 'ACT5', power: 4, glyph: 'spade' }, { id: 'ACT6', power: 6, glyph: 'spade' },
];

export const isPlayer = (seat: MysticaSeat | undefined): seat is Player => !!seat?.faction && seat.bowls !== undefined;

/** The offer that an answer is about: "leech 2 from auren". */
export function offerOf(scene: MysticaScene, { text }: { text: string }): Offer | undefined {
  const [, amount, from] = /^\w+ (\d+) from (\w+)/.exec(text) ?? [];
  return scene.offers.find((one) => one.to === scene.report && one.amount === Number(amount) && scene.seats[one.from]?.faction === from);
}

const dealt = ['sun', 'peak', 'wave', 'leaf', 'star', 'moon'];
/** A seat's token: its terrain, or one of the plain ones while it has none. */
export const tokenOf = (scene: MysticaScene, seat: number): string => {
  const player = scene.seats[seat];
  return isPlayer(player) ? `ter-${terrainOf(player.colour)}` : dealt[seat]!;
};
