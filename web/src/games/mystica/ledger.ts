/* The course of a match as the rows of a ledger: each turn with what it changed,
 * and between them what came by itself. */
import type { MysticaStep } from './scene';

export interface Purse { points: number; C?: number; W?: number; P?: number; bowls?: number[]; cults?: number[]; faction: string; colour?: string }
export interface Moment { round: number; phase: string; seats: Purse[] }

export interface Values { VP: number; C: number; W: number; P: number; bowls: number[]; cults: number[] }
export interface Row {
  /** steps that lead to the position after this row */
  count: number;
  seat: number;
  /** the steps of a turn; none for what came by itself */
  steps: MysticaStep[];
  why: 'turn' | 'income' | 'final' | 'follows';
  now: Values;
  change: { VP: number; C: number; W: number; P: number; PW: number; cults: number };
  offers: number[];
  /** the row opens this round */
  opens?: number;
}

const none = { bowls: [0, 0, 0], cults: [0, 0, 0, 0] };
export const valuesOf = (purse: Purse | undefined): Values => ({ VP: purse?.points ?? 0, C: purse?.C ?? 0, W: purse?.W ?? 0, P: purse?.P ?? 0, bowls: purse?.bowls ?? none.bowls, cults: purse?.cults ?? none.cults });
/** Power at work as the public server counts it. */
export const power = (bowls: number[]): number => bowls[1]! + 2 * bowls[2]!;
const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
const between = (a: Values, b: Values): Row['change'] => ({ VP: b.VP - a.VP, C: b.C - a.C, W: b.W - a.W, P: b.P - a.P, PW: power(b.bowls) - power(a.bowls), cults: sum(b.cults) - sum(a.cults) });
const moved = (change: Row['change']): boolean => Object.values(change).some(Boolean);

/* What the seat that acted has by its own step alone. */
function alone(before: Values, step: MysticaStep): Values {
  const change = step.effect?.seat_change;
  if (!change) return before;
  return { VP: before.VP + change.VP, C: before.C + (change.C ?? 0), W: before.W + (change.W ?? 0), P: before.P + (change.P ?? 0), bowls: change.bowls, cults: change.cults };
}

export function rowsOf(log: MysticaStep[], course: Moment[]): Row[] {
  const rows: Row[] = [];
  let turn: Row | null = null;
  let start: Values | null = null;
  for (let i = 0; i + 1 < course.length && i < log.length; i++) {
    const step = log[i]!;
    const before = course[i]!, after = course[i + 1]!;
    const dressed = !before.seats[step.seat]?.faction && !!after.seats[step.seat]?.faction;
    if (!turn || turn.seat !== step.seat) {
      start = dressed ? valuesOf(after.seats[step.seat]) : valuesOf(before.seats[step.seat]);
      turn = { count: i + 1, seat: step.seat, steps: [], why: 'turn', now: start, change: between(start, start), offers: [] };
      rows.push(turn);
    }
    if (step.text !== 'done') turn.steps.push(step);
    turn.count = i + 1;
    turn.now = dressed ? valuesOf(after.seats[step.seat]) : alone(valuesOf(before.seats[step.seat]), step);
    turn.change = between(start!, turn.now);
    turn.offers.push(...(step.effect?.offers ?? []).map((offer) => offer.amount));
    const own = turn.now;
    const why = after.phase === 'over' ? 'final' : after.round !== before.round || after.phase !== before.phase ? 'income' : 'follows';
    after.seats.forEach((purse, seat) => {
      const from = seat === step.seat ? own : valuesOf(before.seats[seat]);
      if (!before.seats[seat]?.faction && purse.faction) return;
      const now = valuesOf(purse);
      if (moved(between(from, now))) rows.push({ count: i + 1, seat, steps: [], why, now, change: between(from, now), offers: [] });
    });
    if (after.round !== before.round) {
      const first = rows.find((row) => row.count === i + 1 && row.why !== 'turn');
      if (first) first.opens = after.round;
    }
    if (step.last || after.round !== before.round) turn = null;
  }
  return rows.filter((row) => row.why !== 'turn' || row.steps.length);
}
