/* Terra Mystica in words: names, deeds, prompts, log lines. */
import type { Step } from '../../lib/engine/types';
import { m } from '../../paraglide/messages';
import { favours, isPlayer, offerOf, terrainOf, townPoints, type Amounts, type Card, type Cell, type MysticaAction, type MysticaEffect, type MysticaScene, type Offer, type ScoreTile } from './scene';

type Word = () => string;
type Count = (inputs: { n: number | string }) => string;

const terrainWords: Record<string, Word> = {
  desert: m.mt_t_desert, plains: m.mt_t_plains, swamp: m.mt_t_swamp, lakes: m.mt_t_lakes, forest: m.mt_t_forest, mountains: m.mt_t_mountains,
  wasteland: m.mt_t_wasteland, ice: m.mt_t_ice, volcano: m.mt_t_volcano, river: m.mt_t_river,
};
const pieceWords: Record<string, Word> = { D: m.mt_p_D, TP: m.mt_p_TP, TE: m.mt_p_TE, SH: m.mt_p_SH, SA: m.mt_p_SA, X: m.mt_p_X };
const cultWords: Record<string, Word> = { FIRE: m.mt_fire, WATER: m.mt_water, EARTH: m.mt_earth, AIR: m.mt_air };
const factionWords: Record<string, [Word, Word]> = {
  alchemists: [m.mt_f_alchemists, m.mt_a_alchemists], auren: [m.mt_f_auren, m.mt_a_auren], chaosmagicians: [m.mt_f_chaosmagicians, m.mt_a_chaosmagicians],
  cultists: [m.mt_f_cultists, m.mt_a_cultists], darklings: [m.mt_f_darklings, m.mt_a_darklings], dwarves: [m.mt_f_dwarves, m.mt_a_dwarves],
  engineers: [m.mt_f_engineers, m.mt_a_engineers], fakirs: [m.mt_f_fakirs, m.mt_a_fakirs], giants: [m.mt_f_giants, m.mt_a_giants],
  halflings: [m.mt_f_halflings, m.mt_a_halflings], mermaids: [m.mt_f_mermaids, m.mt_a_mermaids], nomads: [m.mt_f_nomads, m.mt_a_nomads],
  swarmlings: [m.mt_f_swarmlings, m.mt_a_swarmlings], witches: [m.mt_f_witches, m.mt_a_witches], icemaidens: [m.mt_f_icemaidens, m.mt_a_icemaidens],
  yetis: [m.mt_f_yetis, m.mt_a_yetis], acolytes: [m.mt_f_acolytes, m.mt_a_acolytes], dragonlords: [m.mt_f_dragonlords, m.mt_a_dragonlords],
  riverwalkers: [m.mt_f_riverwalkers, m.mt_a_riverwalkers], shapeshifters: [m.mt_f_shapeshifters, m.mt_a_shapeshifters],
};
const tileWords: Record<string, [Word, Word]> = {
  alchemists: [m.mt_ln_alchemists, m.mt_lt_alchemists],
  auren: [m.mt_ln_auren, m.mt_lt_auren],
  chaosmagicians: [m.mt_ln_chaosmagicians, m.mt_lt_chaosmagicians],
  cultists: [m.mt_ln_cultists, m.mt_lt_cultists],
  darklings: [m.mt_ln_darklings, m.mt_lt_darklings],
  dwarves: [m.mt_ln_dwarves, m.mt_lt_dwarves],
  engineers: [m.mt_ln_engineers, m.mt_lt_engineers],
  fakirs: [m.mt_ln_fakirs, m.mt_lt_fakirs],
  giants: [m.mt_ln_giants, m.mt_lt_giants],
  halflings: [m.mt_ln_halflings, m.mt_lt_halflings],
  mermaids: [m.mt_ln_mermaids, m.mt_lt_mermaids],
  nomads: [m.mt_ln_nomads, m.mt_lt_nomads],
  swarmlings: [m.mt_ln_swarmlings, m.mt_lt_swarmlings],
  witches: [m.mt_ln_witches, m.mt_lt_witches],
  icemaidens: [m.mt_ln_icemaidens, m.mt_lt_icemaidens],
  yetis: [m.mt_ln_yetis, m.mt_lt_yetis],
  acolytes: [m.mt_ln_acolytes, m.mt_lt_acolytes],
  dragonlords: [m.mt_ln_dragonlords, m.mt_lt_dragonlords],
  riverwalkers: [m.mt_ln_riverwalkers, m.mt_lt_riverwalkers],
  shapeshifters: [m.mt_ln_shapeshifters, m.mt_lt_shapeshifters],
};
/* How much of the game a faction asks of whoever plays it, from 1 to 3. */
const demands: Record<string, number> = {
  alchemists: 2, auren: 2, chaosmagicians: 3, cultists: 2, darklings: 2, dwarves: 2, engineers: 3, fakirs: 3, giants: 1, halflings: 1, mermaids: 1, nomads: 1,
  swarmlings: 2, witches: 1, icemaidens: 2, yetis: 2, acolytes: 3, dragonlords: 3, riverwalkers: 3, shapeshifters: 3,
};
/** Home terrains as printed, for choosing. */
export const homes: Record<string, string> = {
  alchemists: 'swamp', auren: 'forest', chaosmagicians: 'wasteland', cultists: 'plains', darklings: 'swamp', dwarves: 'mountains', engineers: 'mountains',
  fakirs: 'desert', giants: 'wasteland', halflings: 'plains', mermaids: 'lakes', nomads: 'desert', swarmlings: 'lakes', witches: 'forest',
  icemaidens: 'ice', yetis: 'ice', acolytes: 'volcano', dragonlords: 'volcano', riverwalkers: 'river', shapeshifters: 'river',
};

export const terrainName = (token: string): string => terrainWords[token]?.() ?? token;
export const pieceName = (id: string): string => pieceWords[id]?.() ?? id;
export const cultName = (id: string): string => cultWords[id]?.() ?? id;
export const factionName = (id: string): string => factionWords[id]?.[0]() ?? id;
export const factionText = (id: string): string => factionWords[id]?.[1]() ?? '';
/** The special terrain tile of a faction. */
export const tileName = (id: string): string => tileWords[id]?.[0]() ?? '';
export const tileText = (id: string): string => tileWords[id]?.[1]() ?? '';
export const difficulty = (id: string): { level: number; text: string } => {
  const level = demands[id] ?? 2;
  return { level, text: [m.mt_easy, m.mt_middling, m.mt_hard][level - 1]!() };
};
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const units: Record<string, [Count, Count]> = {
  C: [m.mt_coin1, m.mt_coins], W: [m.mt_worker1, m.mt_workers], P: [m.mt_priest1, m.mt_priests], PW: [m.mt_power1, m.mt_power1],
  VP: [m.mt_vp1, m.mt_vp1], spades: [m.mt_spade1, m.mt_spades], tokens: [m.mt_token1, m.mt_tokens], keys: [m.mt_key1, m.mt_keys],
};
/** "3 workers" */
export const amount = (n: number, unit: string): string => units[unit]?.[n === 1 ? 0 : 1]({ n }) ?? `${n} ${unit}`;
export const amounts = (of: Partial<Amounts>): string[] => (['C', 'W', 'P', 'PW'] as const).flatMap((unit) => (of[unit] ? [amount(of[unit], unit)] : []));

/* ---- tiles ---- */

const favourEffects: Word[] = [m.mt_fav_none, m.mt_fav_none, m.mt_fav_none, m.mt_fav_none, m.mt_fav5, m.mt_fav6, m.mt_fav7, m.mt_fav8, m.mt_fav9, m.mt_fav10, m.mt_fav11, m.mt_fav12];
export const favourText = (id: number): string => favourEffects[id - 1]?.() ?? '';
export const favourName = (id: number): string => `${cultName(favours[id - 1]!.track)} +${favours[id - 1]!.steps}`;

const townEffects: Word[] = [
  () => amount(6, 'C'), () => amount(2, 'W'), () => amount(1, 'P'), () => amount(8, 'PW'), m.mt_tw_cults, m.mt_tw_cults2, m.mt_tw_ship, m.mt_tw_plain,
];
export const townText = (id: number): string => townEffects[id - 1]?.() ?? '';

const cardEffects: Record<string, Word> = { BON1: m.mt_bon1, BON2: m.mt_bon2, BON4: m.mt_bon4, BON6: m.mt_bon6, BON7: m.mt_bon7, BON9: m.mt_bon9, BON10: m.mt_bon10 };
const cardIncome: Record<string, Partial<Amounts>> = {
  BON1: { C: 2 }, BON2: { C: 4 }, BON3: { C: 6 }, BON4: { PW: 3 }, BON5: { W: 1, PW: 3 }, BON6: { W: 2 }, BON7: { W: 1 }, BON8: { P: 1 }, BON9: { C: 2 }, BON10: { PW: 3 },
};
export const cardEffect = (id: string): string => cardEffects[id]?.() ?? '';
export const cardName = (id: string): string => [...amounts(cardIncome[id] ?? {}), ...(cardEffects[id] ? [cardEffects[id]()] : [])].join(', ');
/** A tile in the hands of a seat. */
export function heldText(id: string): string {
  const n = Number(/\d+/.exec(id)?.[0] ?? 0);
  if (id.startsWith('BON')) return upper(cardName(id));
  return id.startsWith('TW') ? `${amount(townPoints[n - 1]!, 'VP')}, ${townText(n)}` : `${favourName(n)}: ${favourText(n)}`;
}
export const cardFacts = (card: Card, names: string[]): string =>
  [card.coins ? m.mt_card_coins({ coins: amount(card.coins, 'C') }) : '', card.seat >= 0 ? m.mt_holder({ name: names[card.seat] ?? '' }) : ''].filter(Boolean).join(', ');

/* Cards say that they are actions; an action need not. */
const bare = (text: string): string => text.replace(/^[^:]*: /, '');
const spaceWords: Record<string, Word> = {
  ACT1: m.mt_act1, ACT2: () => amount(1, 'P'), ACT3: () => amount(2, 'W'), ACT4: () => amount(7, 'C'), ACT5: () => amount(1, 'spades'), ACT6: () => amount(2, 'spades'),
  BON1: m.mt_spade_step, BON2: () => bare(m.mt_bon2()), FAV6: () => bare(m.mt_fav6()), ACTA: m.mt_x_acta, ACTC: m.mt_x_double, ACTE: m.mt_x_acte,
  ACTG: () => amount(2, 'spades'), ACTN: m.mt_x_actn, ACTS: m.mt_x_acts, ACTW: m.mt_x_actw, ACTH5: m.mt_x_acth5, ACTH6: m.mt_x_acth6,
};
export const spaceName = (id: string): string => spaceWords[id]?.() ?? id;

const scored: Record<string, Word> = { SPADE: m.mt_sc_SPADE, TOWN: m.mt_sc_TOWN, D: m.mt_sc_D, TP: m.mt_sc_TP, TE: m.mt_sc_TE, 'SA/SH': m.mt_sc_SASH };
const scoredGlyphs: Record<string, string> = { SPADE: 'spade', TOWN: 'town', D: 'dwelling', TP: 'trading-house', TE: 'temple', 'SA/SH': 'stronghold' };
export function scoreTile(tile: ScoreTile, last: boolean): { points: number; glyph: string; what: string; bonus: string } {
  const [what = '', points = '0'] = tile.text.split(' >> ');
  const gain = tile.spades ? amount(tile.spades, 'spades') : amounts(tile.bonus).join(', ');
  const bonus = last ? m.mt_last_round() : tile.cult === 'priests' ? m.mt_per_priest({ gain }) : m.mt_per_cult({ cult: cultName(tile.cult), levels: tile.per, gain });
  return { points: Number(points), glyph: scoredGlyphs[what] ?? 'vp', what: scored[what]?.() ?? what, bonus };
}

const finals: Record<string, Word> = { 'connected-distance': m.mt_fx_distance, 'connected-sa-sh-distance': m.mt_fx_sash, 'building-on-edge': m.mt_fx_edge, 'connected-clusters': m.mt_fx_clusters };
export const finalName = (id: string): string => finals[id]?.() ?? id;
/** What the extra tile scores at the end. */
export const finalText = (id: string): string => m.mt_fs_extra({ what: finalName(id) });

/* ---- actions ---- */

type Reader = [RegExp, string, (found: string[]) => string];

const give: Record<string, Word> = {
  SPADE: () => amount(1, 'spades'), BRIDGE: m.mt_act1, FAVOUR: m.mt_s_favour, STEPS: m.mt_cults, FREE_D: m.mt_p_D, FREE_TP: m.mt_p_TP,
  FREE_TF: m.mt_x_actn, CONVERT_W_TO_P: () => m.mt_to_for({ from: amount(3, 'W'), to: amount(3, 'P') }),
};

/* Commands of the notation, their glyph and the deed in words. */
const readers: Reader[] = [
  [/^setup (\w+)/, 'check', ([, id]) => m.mt_d_pick({ faction: factionName(id!) })],
  [/^nominate (\w+)/, 'check', ([, id]) => m.mt_d_nominate({ faction: factionName(id!) })],
  [/^bid (\d+) for (\w+)/, 'vp', ([, n, id]) => m.mt_d_bid({ n: n!, faction: factionName(id!) })],
  [/^pick-color (\w+)/, 'check', ([, id]) => m.mt_d_colour({ terrain: terrainName(terrainOf(id)) })],
  [/^dig (\d+)\. build (\w+)$/, 'spade', ([, n, cell]) => m.mt_d_digbuild({ spades: amount(Number(n), 'spades'), cell: cell! })],
  [/^dig (\d+)\. transform (\w+) to \w+$/, 'spade', ([, n]) => m.mt_d_digonly({ spades: amount(Number(n), 'spades') })],
  [/^build (\w+)/, 'dwelling', ([, cell]) => m.mt_d_build({ cell: cell! })],
  [/^upgrade (\w+) to (\w+)/, 'up', ([, cell, id]) => m.mt_d_upgrade({ piece: upper(pieceName(id!)), cell: cell! })],
  [/^transform (\w+) to (\w+)/, 'spade', ([, cell, id]) => m.mt_d_transform({ cell: cell!, terrain: terrainName(terrainOf(id)) })],
  [/^pass (BON\d+)/, 'pass', ([, id]) => m.mt_d_pass({ card: cardName(id!) })],
  [/^pass$/, 'pass', () => m.mt_d_passlast()],
  [/^convert (\d+)(\w+?) to (\d+)(\w+)/, 'swap', ([, n, from, k, to]) => m.mt_to_for({ from: amount(Number(n), from!), to: amount(Number(k), to!) })],
  [/^burn (\d+)/, 'burn', ([, n]) => m.mt_d_burn({ n: n! })],
  [/^dig (\d+)/, 'spade', ([, n]) => m.mt_d_dig({ spades: amount(Number(n), 'spades') })],
  [/^special (\w+)/, 'favour', ([, cell]) => m.mt_d_special({ cell: cell! })],
  [/^advance ship/, 'ship', () => m.mt_d_ship()],
  [/^advance dig/, 'spade', () => m.mt_d_spade()],
  [/^send p to (\w+) for 1$/, 'priest', ([, id]) => m.mt_d_send1({ cult: cultName(id!) })],
  [/^send p to (\w+) for (\d)/, 'priest', ([, id, n]) => m.mt_d_send({ cult: cultName(id!), n: n! })],
  [/^action (\w+)/, 'power', ([, id]) => m.mt_d_action({ what: spaceName(id!) })],
  [/^\+FAV(\d+)/, 'favour', ([, id]) => m.mt_d_favour({ cult: cultName(favours[Number(id) - 1]!.track), n: favours[Number(id) - 1]!.steps })],
  [/^\+TW(\d)(?: to (.*))?/, 'town', ([, id, on]) => m.mt_d_town({ n: townPoints[Number(id) - 1]! }) + (on ? ` (${on.split('+').map(cultName).join(', ')})` : '')],
  [/^\+(\d?)(FIRE|WATER|EARTH|AIR)/, 'up', ([, n, id]) => m.mt_d_step({ cult: cultName(id!), n: n || '1' })],
  [/^-(\d?)(FIRE|WATER|EARTH|AIR)/, 'down', ([, n, id]) => m.mt_d_down({ cult: cultName(id!), n: n || '1' })],
  [/^bridge (\w+):(\w+)/, 'bridge', ([, from, to]) => m.mt_d_bridge({ from: from!, to: to! })],
  [/^connect (\w+)/, 'town', ([, cell]) => m.mt_d_connect({ cell: cell! })],
  [/^join (\w+)/, 'town', ([, cell]) => m.mt_d_join({ cell: cell! })],
  [/^leech (\d+)/, 'power', ([, n]) => m.mt_d_leechfree({ power: amount(Number(n), 'PW') })],
  [/^decline/, 'close', () => m.mt_d_decline()],
  [/^coin/, 'coin', () => m.mt_d_coin()],
  [/^unlock-terrain gain-priest/, 'priest', () => m.mt_d_keeppriest()],
  [/^unlock-terrain (\w+)/, 'check', ([, id]) => m.mt_d_unlock({ terrain: terrainName(terrainOf(id)) })],
  [/^gain P3/, 'power', () => m.mt_d_token()],
  [/^-GAIN_P3/, 'close', () => m.mt_d_notoken()],
  [/^\+5vp for ravens/, 'vp', () => m.mt_d_ravens()],
  [/^-(\d*)([A-Z_0-9]+)/, 'remove', ([, n, id]) => m.mt_d_forfeit({ what: id === 'SPADE' ? amount(Number(n || 1), 'spades') : (give[id!]?.() ?? id!) })],
  [/^done/, 'check', () => m.mt_d_done()],
];

/* The exchanges in front of a plan: "burn 2 and convert 3 power to 1 worker". */
const exchanges = /^(?:burn|convert) [^.]*\. /;
export function exchangeText(text: string): string {
  const parts: string[] = [];
  for (let rest = text, found = exchanges.exec(rest); found; found = exchanges.exec(rest)) {
    const [, n, from, k, to] = /convert (\d+)(\w+?) to (\d+)(\w+)/.exec(found[0]) ?? [];
    parts.push(from ? m.mt_ex_convert({ from: amount(Number(n), from), to: amount(Number(k), to!) }) : m.mt_ex_burn({ n: /\d+/.exec(found[0])![0] }));
    rest = rest.slice(found[0].length);
  }
  return parts.length < 2 ? (parts[0] ?? '') : m.mt_and({ a: parts.slice(0, -1).join(', '), b: parts.at(-1)! });
}
const afterExchange = (text: string): string => {
  while (exchanges.test(text)) text = text.replace(exchanges, '');
  return text;
};

/* Whose action space it is, and what comes of its spades. */
const sources: [RegExp, string, Word][] = [[/^ACT\d/, 'power', m.mt_by_power], [/^BON/, 'bonus', m.mt_i_card], [/^ACT/, 'stronghold', m.mt_s_faction]];
const freeSpades: Record<string, number> = { ACT5: 1, ACT6: 2, ACTG: 2, BON1: 1 };

/* "action ACT5. dig 1. build F3": a space, and what its hex becomes by it. */
function opened(space: string, bought: number, rest: string): { text: string; glyph: string } {
  const [, glyph, source] = sources.find(([pattern]) => pattern.test(space))!;
  const free = freeSpades[space] ? amount(freeSpades[space], 'spades') : spaceName(space);
  const what = bought ? m.mt_d_freemore({ what: free, n: bought }) : free;
  const [, kind, cell] = /^(\w+) (\w+)/.exec(rest)!;
  const done = deed({ text: rest }).text;
  if (!freeSpades[space] && space !== 'ACTN') return { glyph, text: `${source()}: ${done}` };
  if (kind === 'special') return { glyph, text: `${source()}, ${what}: ${done}` };
  return { glyph, text: `${source()}: ${kind === 'build' ? m.mt_d_freebuild({ what, cell: cell! }) : m.mt_d_freeonly({ what })}` };
}

/* mystica §12: volcanoes take no spades. */
const volcanic = (text: string): string =>
  text.startsWith('dig 1. build') ? m.mt_d_volcanobuild({ cell: text.split(' ').at(-1)! }) : text.startsWith('dig 1. special') ? deed({ text: text.slice(7) }).text : m.mt_d_volcanoonly();

/** What the notation says, as a deed. */
export function deed({ text, terrain }: { text: string; terrain?: string | undefined }): { text: string; glyph: string } {
  if (exchanges.test(text)) return { text: `${upper(exchangeText(text))}: ${deed({ text: afterExchange(text), terrain }).text}`, glyph: 'burn' };
  const used = /^action (\w+)\. (?:dig (\d+)\. )?(.*)/.exec(text);
  if (used) return opened(used[1]!, Number(used[2] ?? 0), used[3]!);
  if (terrain === 'volcano' && text.startsWith('dig ')) return { text: volcanic(text), glyph: 'terrain-volcano' };
  const dug = /^dig (\d+)\. (special \w+)/.exec(text);
  if (dug) return { ...deed({ text: dug[2]! }), text: `${m.mt_d_dig({ spades: amount(Number(dug[1]), 'spades') })}: ${deed({ text: dug[2]! }).text}` };
  for (const [pattern, glyph, words] of readers) {
    const found = pattern.exec(text);
    if (found) return { text: words(found as unknown as string[]), glyph };
  }
  return { text, glyph: 'check' };
}

/* Deeds of others, and one's own in the log: shorter. */
export function actionText(step: Step): string {
  const text = step.text ?? '';
  if (step.kind !== 'action') return endingText(step.reason ?? '');
  const card = /^pass (BON\d+)/.exec(text)?.[1];
  if (card) return m.mt_l_pass({ card: cardName(card) });
  if (text === 'pass') return m.mt_l_passlast();
  if (text === 'done') return m.mt_l_done();
  const taken = /^leech (\d+)/.exec(text)?.[1];
  if (taken) return m.mt_l_leech({ power: amount(Number(taken), 'PW') });
  if (text.startsWith('decline')) return m.mt_l_decline();
  /* Whoever gets no spade for it makes a volcano. */
  const change = (step.effect as MysticaEffect | null | undefined)?.seat_change;
  if (text.startsWith('dig ') && change && !change.spades) return m.mt_d_volcano();
  return deed({ text }).text;
}

export const eventText = (step: Step, names: string[]): string => (step.text === 'done' ? '' : m.mt_event({ name: names[step.seat] ?? '', text: actionText(step) }));

/* ---- offers ---- */

const offerName = (scene: MysticaScene, { from }: Offer): string => factionName(scene.seats[from]?.faction ?? '');
const mineOf = (scene: MysticaScene): Offer[] =>
  scene.actions.flatMap((action) => (action.kind === 'decline' ? (offerOf(scene, action) ?? []) : []));

const answers: Record<string, (offer: Offer, only: boolean) => string> = {
  leech: ({ gain, price }) => (price ? m.mt_d_leech({ power: amount(gain, 'PW'), vp: amount(price, 'VP') }) : m.mt_d_leechfree({ power: amount(gain, 'PW') })),
  decline: ({ gain, amount: printed }, only) => (only ? m.mt_d_decline() : m.mt_d_decline_of({ power: amount(gain || printed, 'PW') })),
  coin: () => m.mt_d_coin(),
};
/** An answer to an offer; of several it says which. */
export function answerText(scene: MysticaScene, action: MysticaAction): string {
  const offer = offerOf(scene, action);
  const all = mineOf(scene);
  if (!offer) return deed(action).text;
  const text = answers[action.kind]!(offer, all.length < 2);
  return all.some(({ from }) => from !== offer.from) ? `${text} (${offerName(scene, offer)})` : text;
}

function offerPrompt(scene: MysticaScene): Prompt {
  const all = mineOf(scene);
  const [first, other] = all;
  const list = all.map((offer) => `${amount(offer.gain, 'PW')} (${offerName(scene, offer)})`).join(', ');
  const title = other ? m.mt_q_offers({ n: all.length, list }) : m.mt_q_offer({ name: first ? offerName(scene, first) : '', power: amount(first?.gain ?? 0, 'PW') });
  return { title, hint: m.mt_q_offer_hint() };
}

/* ---- prompts ---- */

interface Prompt { title: string; hint: string }

const setting: Partial<Record<MysticaScene['phase'], () => Prompt>> = {
  nominate: () => ({ title: m.mt_q_pick(), hint: m.mt_q_pick_hint() }),
  pick: () => ({ title: m.mt_q_pick(), hint: m.mt_q_pick_hint() }),
  bid: () => ({ title: m.mt_q_bid(), hint: m.mt_q_pick_hint() }),
  colour: () => ({ title: m.mt_q_colour(), hint: '' }),
  dwell: () => ({ title: m.mt_q_dwell(), hint: m.mt_q_dwell_hint() }),
  cards: () => ({ title: m.mt_q_card(), hint: m.mt_q_card_hint() }),
};

export function prompt(scene: MysticaScene): Prompt {
  const kinds = new Set(scene.actions.map((action) => action.kind));
  const seat = scene.seats[scene.report ?? -1];
  if (kinds.has('leech') || (kinds.has('decline') && !kinds.has('done'))) return offerPrompt(scene);
  if (kinds.has('favour')) return { title: m.mt_q_favour(), hint: m.mt_q_favour_hint() };
  if (kinds.has('town')) return { title: m.mt_q_town(), hint: m.mt_q_town_hint() };
  if (scene.phase !== 'actions' && setting[scene.phase]) return setting[scene.phase]!();
  if (kinds.has('bridge')) return { title: m.mt_q_bridge(), hint: m.mt_q_bridge_hint() };
  if (kinds.has('transform')) return { title: m.mt_q_spades({ spades: amount(isPlayer(seat) ? (seat.due.spades ?? 1) : 1, 'spades') }), hint: m.mt_q_spades_hint() };
  if (kinds.has('step') || kinds.has('down') || kinds.has('pay')) return { title: m.mt_q_steps(), hint: '' };
  if (kinds.has('done')) return { title: m.mt_q_done(), hint: m.mt_q_done_hint() };
  if (kinds.has('pass')) return { title: m.mt_q_action(), hint: m.mt_q_action_hint() };
  return { title: m.mt_q_choose(), hint: '' };
}

export function endingText(reason: string): string {
  switch (reason) {
    case 'six rounds': return m.mt_end_rounds();
    case 'resign': return m.end_resign();
    case 'time': return m.end_time();
    case 'agreed': return m.end_agreed();
    case 'abandoned': return m.end_abandoned();
    default: return reason;
  }
}

/** "F3, forest, temple of the Witches, you can act here" */
export function describe(scene: MysticaScene, cell: Cell, open: boolean): string {
  const parts = [cell.terrain === 'river' ? '' : cell.cell, terrainName(terrainOf(cell.terrain))];
  if (cell.piece) parts.push(m.mt_owner({ piece: cell.piece === 'X' ? m.mt_tile_called({ piece: pieceName('X'), tile: tileName(scene.seats[cell.seat ?? 0]?.faction ?? '') }) : pieceName(cell.piece), name: factionName(scene.seats[cell.seat ?? 0]?.faction ?? '') }), cell.town ? m.mt_in_town() : '');
  if (open) parts.push(m.mt_can_here());
  return parts.filter(Boolean).join(', ');
}

export const sourceWords: Record<string, Word> = {
  start: m.mt_s_start, 'round tiles': m.mt_s_round, 'town tiles': m.mt_s_town, 'favour tiles': m.mt_s_favour, 'bonus cards': m.mt_s_card, shipping: m.mt_s_ship,
  digging: m.mt_s_dig, faction: m.mt_s_faction, 'power taken': m.mt_s_power, conversion: m.mt_s_conversion, 'final tile': m.mt_s_final, cults: m.mt_cults,
  network: m.mt_network, resources: m.mt_resources,
};
export const incomeWords: Record<string, Word> = {
  dwellings: m.mt_i_dwellings, 'trading houses': m.mt_i_trading, temples: m.mt_i_temples, stronghold: () => upper(m.mt_p_SH()), sanctuary: () => upper(m.mt_p_SA()),
  'bonus card': m.mt_i_card, 'favour tiles': m.mt_i_favours,
};

export const choosable = (actions: MysticaAction[], kind: string): boolean => actions.some((action) => action.kind === kind);
