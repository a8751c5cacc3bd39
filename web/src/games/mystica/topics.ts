/* Short rules, by what is asked now. */
import { m } from '../../paraglide/messages';
import { isPlayer, type MysticaScene } from './scene';

type Word = () => string;
export const topics: Record<string, [Word, Word]> = {
  faction: [m.mt_rt_faction, m.mt_rx_faction], colour: [m.mt_rt_colour, m.mt_rx_colour], dwell: [m.mt_rt_dwell, m.mt_rx_dwell], cards: [m.mt_rt_cards, m.mt_rx_cards],
  income: [m.mt_rt_income, m.mt_rx_income], action: [m.mt_rt_action, m.mt_rx_action], spades: [m.mt_rt_spades, m.mt_rx_spades], power: [m.mt_rt_power, m.mt_rx_power],
  offer: [m.mt_rt_offer, m.mt_rx_offer], favour: [m.mt_rt_favour, m.mt_rx_favour], town: [m.mt_rt_town, m.mt_rx_town], bridge: [m.mt_rt_bridge, m.mt_rx_bridge],
  cults: [m.mt_rt_cults, m.mt_rx_cults], passing: [m.mt_rt_passing, m.mt_rx_passing], bonus: [m.mt_rt_bonus, m.mt_rx_bonus], end: [m.mt_rt_end, m.mt_rx_end],
  scoring: [m.mt_rt_scoring, m.mt_rx_scoring], finish: [m.mt_rt_finish, m.mt_rx_finish],
};

const phases: Partial<Record<MysticaScene['phase'], string>> = { nominate: 'faction', bid: 'faction', pick: 'faction', colour: 'colour', dwell: 'dwell', cards: 'cards', cult: 'cults', income: 'income', over: 'scoring' };
const kinds: [string, string][] = [['leech', 'offer'], ['favour', 'favour'], ['town', 'town'], ['bridge', 'bridge'], ['transform', 'spades'], ['step', 'cults'], ['down', 'cults'], ['pay', 'cults'], ['colour', 'colour'], ['done', 'end'], ['pass', 'action']];

/** The rule that helps with what is asked now. */
export function topicOf(scene: MysticaScene): string {
  if (phases[scene.phase]) return phases[scene.phase]!;
  return kinds.find(([kind]) => scene.actions.some((action) => action.kind === kind))?.[1] ?? 'income';
}

/** What a first game has to explain now, in order; turns are those taken by the player. */
export function lessonsOf(scene: MysticaScene, turns: number): string[] {
  const me = scene.seats[scene.report ?? -1];
  const asked = topicOf(scene);
  if (scene.round >= 3 || scene.phase === 'over') return ['finish'];
  if (['offer', 'favour', 'town', 'bridge', 'end'].includes(asked)) return [asked === 'end' && turns > 0 ? 'power' : asked];
  if (asked !== 'action' || !isPlayer(me)) return [asked];
  const builds = scene.actions.some((action) => action.kind === 'build' || action.kind === 'upgrade');
  return [
    ...(scene.round === 2 ? ['bonus'] : []), 'income', 'action', 'spades', ...(turns > 0 ? ['power'] : []),
    ...(turns > 1 || me.P > 0 || scene.round === 2 ? ['cults'] : []), ...(turns > 2 || !builds || scene.round === 2 ? ['passing'] : []),
  ];
}
