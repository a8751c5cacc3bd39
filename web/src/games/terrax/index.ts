/* Terra-X for the shared frame. */
import { m } from '../../paraglide/messages';
import type { GameView } from '../board';
import Board from './Board.svelte';
import Consequence from './Consequence.svelte';
import Deeds from './Deeds.svelte';
import Dock from './Dock.svelte';
import Legend from './Legend.svelte';
import Panels from './Panels.svelte';
import { reading, type TerraxAction, type TerraxEffect, type TerraxScene, type TerraxStep } from './scene';
import { seatTokens } from './seats';
import * as words from './words';

const as = (scene: unknown): TerraxScene => words.learn(scene as TerraxScene);

export const terrax: GameView = {
  Board,
  Consequence,
  Legend,
  Dock,
  Deeds,
  Panels,
  seatTokens: (scene) => as(scene).seats.map((_, i) => seatTokens[i]!),
  seatFacts(scene, seat) {
    const { cards, cheques, marks, out } = as(scene).seats[seat]!;
    const placed = marks.filter((mark) => !mark.won).length;
    return [words.seatWords[seat]!(), ...(out ? [m.seat_out()] : []), m.tx_in_hand({ count: cards }), m.tx_markers({ count: placed }), cheques === null ? m.tx_cheques_hidden() : m.tx_cheques({ count: cheques })];
  },
  supply: () => null,
  subtitle(scene) {
    const { phase, round, stack, lastRound } = as(scene);
    if (phase === 'mark') return m.tx_marking();
    return lastRound ? m.tx_last_round({ cards: stack }) : m.tx_round({ round: Math.max(1, round), cards: stack });
  },
  prompt: (scene, mine) => words.prompt(as(scene), mine),
  stages: () => [],
  deed: (action) => words.deed(action as TerraxAction),
  actionText: words.actionText,
  eventText: words.eventText,
  arrow(text) {
    const { from, to, card } = reading(text);
    const where = to ?? card;
    return where ? { ...(from ? { from } : {}), to: where } : null;
  },
  attempt: (text) => words.colourName(reading(text).colour),
  otherHint: () => '',
  typed: 'A>STO $B>KIZ end',
  question: (action) => words.question(action as TerraxAction),
  advice: (action) => words.advice(action as TerraxAction),
  scoreLines: (step, names) => (step.effect ? words.scoreLines(step.effect as TerraxEffect, names) : []),
  endingText: words.endingText,
  phase: (step) => ((step as TerraxStep).effect?.kind === 'mark' ? 'M' : ''),
  ends: (step) => step.kind !== 'action' || ['mark', 'end', 'pass'].includes((step as TerraxStep).effect?.kind ?? ''),
};
