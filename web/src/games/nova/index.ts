/* Terra Nova for the shared frame. */
import { m } from '../../paraglide/messages';
import type { GameView } from '../board';
import Board from './Board.svelte';
import Consequence from './Consequence.svelte';
import Legend from './Legend.svelte';
import { seatName, type NovaAction, type NovaEffect, type NovaScene, type NovaStep } from './scene';
import * as words from './words';

const as = (scene: unknown): NovaScene => scene as NovaScene;

/* nova §11.2: the first turn is round 1, and every later one of seat 1 begins a new round. */
function round(log: NovaStep[]): number {
  let rounds = 0;
  let begins = true;
  for (const step of log) {
    const kind = step.effect?.kind;
    if (kind === 'place' || !kind) continue;
    if (begins && (step.seat === 0 || rounds === 0)) rounds++;
    begins = step.last;
  }
  return Math.max(1, rounds);
}

export const nova: GameView = {
  Board,
  Consequence,
  Legend,
  seatTokens: (scene) => as(scene).seats.map((seat) => seatName(seat.colour)),
  seatFacts(scene, seat) {
    const { pioneers, hand, colour, out } = as(scene).seats[seat]!;
    return [words.colourName(colour), out ? m.seat_out() : hand > 0 ? m.nova_in_hand({ count: hand }) : m.nova_pioneers({ count: pioneers })];
  },
  supply(scene) {
    const { supply, stones } = as(scene);
    return supply === null ? null : { label: m.nova_stones(), left: supply, all: supply + stones.length };
  },
  subtitle(scene, log) {
    const { phase, supply, board } = as(scene);
    if (phase === 'place') return m.nova_placing({ board: board.title });
    if (supply === null) return m.nova_round({ round: round(log as NovaStep[]), board: board.title });
    return m.nova_round_stones({ round: round(log as NovaStep[]), stones: supply });
  },
  prompt: (scene, mine) => words.prompt(as(scene), mine),
  stages: (scene, draft, complete) => words.stages(as(scene), draft, complete),
  deed: (action) => words.deed(action as NovaAction),
  actionText: words.actionText,
  eventText: words.eventText,
  arrow(text) {
    const move = /^(\w+)-(\w+)$/.exec(text);
    if (move) return { from: move[1]!, to: move[2]! };
    const to = /^[*+](\w+)/.exec(text);
    return to ? { to: to[1]! } : null;
  },
  question: (action) => words.question(action as NovaAction),
  scoreLines: (step, names) => (step.effect ? words.scoreLines(step.effect as NovaEffect, names) : []),
  endingText: words.endingText,
  phase: (step) => ((step as NovaStep).effect?.kind === 'place' ? 'P' : ''),
};
