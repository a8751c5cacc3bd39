/* Terra Mystica for the shared frame. */
import { m } from '../../paraglide/messages';
import type { GameView } from '../board';
import Aside from './Aside.svelte';
import Board from './Board.svelte';
import Consequence from './Consequence.svelte';
import Deeds from './Deeds.svelte';
import Dock from './Dock.svelte';
import Ledger from './Ledger.svelte';
import Legend from './Legend.svelte';
import Panels from './Panels.svelte';
import Setup from './Setup.svelte';
import { lesson } from './lesson';
import { answer } from './policy';
import { isPlayer, tokenOf, type MysticaScene, type MysticaStep } from './scene';
import * as words from './words';

const as = (scene: unknown): MysticaScene => scene as MysticaScene;
/* What is final at once. */
const settles = (action: { kind?: string }, scene: unknown): boolean =>
  ['done', 'pick', 'bid', 'colour', 'leech', 'decline', 'coin'].includes(action.kind ?? '') || ['dwell', 'cards'].includes(as(scene).phase);

export const mystica: GameView = {
  Board, Consequence, Legend, Dock, Deeds, Panels, Aside, Ledger, Setup,
  ledgerKeys: ['round', 'phase', 'points', 'C', 'W', 'P', 'bowls', 'cults', 'faction', 'colour'],
  lesson,
  rehearsal: (scene) => as(scene).actions.find(({ kind }) => ['pick', 'colour', 'upgrade', 'build', 'send', 'convert'].includes(kind))?.text,
  standing: (scene, rule) => answer(as(scene), rule),
  seatTokens: (scene) => as(scene).seats.map((_, i) => tokenOf(as(scene), i)),
  seatFacts(scene, seat) {
    const player = as(scene).seats[seat];
    if (!isPlayer(player)) return [m.mt_chooses()];
    const [a, b, c] = player.bowls;
    return [words.factionName(player.faction), ...(player.passed && as(scene).phase !== 'over' ? [m.mt_passed()] : []), m.mt_fact_res({ c: player.C, w: player.W, p: player.P }), m.mt_fact_power({ a, b, c })];
  },
  order: (scene) => (as(scene).round > 0 && as(scene).phase !== 'over' ? as(scene).order : null),
  supply: () => null,
  subtitle(scene) {
    const { phase, round } = as(scene);
    if (phase === 'over') return m.mt_game_over();
    return round > 0 ? m.mt_round_of({ round }) : m.mt_setting_up();
  },
  prompt: (scene) => words.prompt(as(scene)),
  stages(scene, draft, complete) {
    const done = draft.filter((step) => step.text !== 'done').map((step) => ({ text: words.actionText(step), state: 'done' as const }));
    if (!done.length || complete) return done;
    const ends = as(scene).actions.some((action) => action.kind === 'done');
    return [...done, { text: ends ? m.mt_stage_end() : m.mt_q_choose(), state: 'now' as const }];
  },
  deed: words.deed,
  actionText: words.actionText,
  eventText: words.eventText,
  arrow(text) {
    const cell = /^(?:build|upgrade|transform|special|bridge) (\w+)/.exec(text)?.[1];
    return cell ? { to: cell } : null;
  },
  typed: 'burn 2. action ACT5. build E6',
  question: (action) => words.deed(action).text,
  remarks: async (text) => (await import('./remarks')).remarkText(text),
  attempt: (text) => words.deed({ text }).text,
  scoreLines: () => [],
  gave: async (step, before, after, names) => (await import('./gave')).gave(step, before, after, names),
  endingText: words.endingText,
  phase: (step) => (['pick', 'bid'].includes((step as MysticaStep).effect?.kind ?? '') ? 'S' : ''),
  settles,
  otherHint: (action, scene) => (settles(action, scene) ? m.mt_other_final() : m.choose_other()),
};
