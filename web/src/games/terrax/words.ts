/* Terra-X in words: names of places, prompts, log lines. */
import type { Step } from '../../lib/engine/types';
import { m } from '../../paraglide/messages';
import { getLocale } from '../../paraglide/runtime';
import { layoutOf } from './geometry';
import { placeText } from './places.svelte';
import { letters, nearestHead, reading, rightOf, type Continent, type Letter, type Mission, type Place, type TerraxAction, type TerraxEffect, type TerraxScene } from './scene';
import { ui } from './ui.svelte';

/* Steps and actions name places by id; the map tells what they are called. */
let places = new Map<string, Place>();
let seatOf: TerraxScene | null = null;

export function learn(scene: TerraxScene): TerraxScene {
  if (seatOf !== scene) {
    seatOf = scene;
    places = layoutOf(scene).at;
  }
  return scene;
}

const inLocale = (words: Record<string, string> | undefined): string => words?.[getLocale()] ?? words?.en ?? '';
/* Where long compounds of our languages may be parted; browsers know it of few. */
const joints = /(?<=\p{L}{4})(?=(?:armén|bergwerk|eilanden|fallen|fjord|fluss|fälle|grott(?:an|en|orna)|inseln|kloof|leger|lijnen|linjerna|mumie|raderna|ravinen|reihen|revet|riff?|scheibe|schijf|skivan|stone|terrass(?:en|erna)|vloeiing|wasserfälle|watervall?(?:en)?|öarna)(?!\p{L}))/giu;
/** A name whose long words may be parted at a joint, for narrow cards. */
export const parted = (name: string): string => name.split(' ').map((word) => (word.length > 9 ? word.replace(joints, '\u00ad') : word)).join(' ');
/** The letters of the longest part that must stay in one piece. */
export const longest = (name: string): number => Math.max(...parted(name).split(/[ \u00ad-]/).map((part) => part.length + 1)) - 1;
export const nameOf = (place: Place): string => inLocale(place.name) || place.id;
export const textOf = (place: Place): string => placeText(place.id) ?? inLocale(place.text);
export const placeName = (id: string | null | undefined): string => {
  const place = id ? places.get(id) : undefined;
  return place ? nameOf(place) : (id ?? '?');
};

export function colourName(letter: Letter | undefined): string {
  switch (letter) {
    case 'A': return m.tx_amber();
    case 'B': return m.tx_blue();
    default: return m.tx_charcoal();
  }
}

export function continentName(continent: Continent | null): string {
  switch (continent) {
    case 'europe': return m.tx_europe();
    case 'asia': return m.tx_asia();
    case 'africa': return m.tx_africa();
    case 'namerica': return m.tx_namerica();
    case 'samerica': return m.tx_samerica();
    case 'oceania': return m.tx_oceania();
    default: return '';
  }
}

export const seatWords = [m.seat_star, m.seat_peak, m.seat_leaf, m.seat_wave, m.seat_sun, m.seat_moon];
const seatShort = (seat: number): string => (seatWords[seat]?.() ?? '').split(',')[0]!;

export function kindName(place: Place): string {
  switch (place.kind) {
    case 'red': return m.tx_kind_red();
    case 'green': return m.tx_kind_green();
    case 'start': return m.tx_kind_start();
    case 'edge': return m.tx_kind_edge();
    default: return continentName(place.continent);
  }
}

/** What a mission means to people, as far as the viewer knows. */
export function missionState(scene: TerraxScene, mission: Mission, names: string[]): string {
  const name = names[mission.seat ?? -1] ?? seatShort(mission.seat ?? -1);
  switch (mission.at) {
    case 'open': return m.tx_open();
    case 'done': return m.tx_done_by({ name });
    case 'won': return m.tx_won_by({ name });
    case 'hand':
      if (mission.seat === scene.viewer) return mission.marker === mission.seat ? m.tx_own_marked() : m.tx_own();
      return m.tx_mission_of({ name });
    default: return mission.marker === null ? '' : m.tx_marker_of({ name: names[mission.marker] ?? seatShort(mission.marker) });
  }
}

/* How far it is to what can still be done. */
function upTo(mission: Mission): string {
  if (mission.at !== 'hand' && mission.at !== 'open') return '';
  const near = nearestHead(mission);
  return near ? m.tx_legs({ count: near.legs }) : m.tx_unreachable();
}

/** "Pompeii, Europe, your mission, marked, 2 legs" */
export function describe(scene: TerraxScene, place: Place, legal: TerraxAction[], names: string[] = []): string {
  const parts = [nameOf(place), kindName(place)];
  const mission = scene.missions.find((one) => one.card === place.place);
  if (mission) parts.push(missionState(scene, mission, names), upTo(mission));
  for (const { colour, head } of scene.colours) if (head === place.place) parts.push(m.tx_head_here({ colour: colourName(colour) }));
  const reach = letters.filter((letter) => legal.some((a) => a.colour === letter && a.to === place.place && a.kind !== 'remove'));
  if (reach.length) parts.push(m.tx_can_reach({ colours: reach.map(colourName).join(', ') }));
  return parts.filter(Boolean).join(', ');
}

export function prompt(scene: TerraxScene, mine: boolean): { title: string; hint: string } {
  learn(scene);
  if (scene.phase === 'mark') {
    const place = { number: (scene.seats[scene.seat]?.marks.length ?? 0) + 1, all: scene.options.markers ?? 4 };
    const least = scene.options.mark_min ?? 2;
    if (scene.options.var_choose === 'on') return { title: m.tx_ask_choose(place), hint: m.tx_hint_choose({ least }) };
    return { title: m.tx_ask_mark(place), hint: m.tx_hint_mark({ least }) };
  }
  if (mine && scene.phase === 'turn' && scene.viewer !== null && scene.viewer !== scene.seat)
    return { title: m.tx_ask_claim(), hint: m.tx_hint_claim() };
  if (scene.phase === 'swap') return { title: m.tx_ask_swap(), hint: '' };
  if (scene.phase === 'claims') return { title: m.tx_ask_claims(), hint: '' };
  switch (mine ? rightOf(scene, ui.right) : 'base') {
    case 'base': return { title: m.tx_ask_base(), hint: m.tx_hint_base() };
    case 'green': return { title: m.tx_ask_green(), hint: m.tx_hint_green() };
    case 'loop': return { title: m.tx_ask_loop({ colour: colourName(scene.rights.loop ?? 'C') }), hint: m.tx_hint_loop() };
    case 'cheque': return { title: m.tx_ask_cheque(), hint: m.tx_hint_cheque() };
    default: break;
  }
  if (scene.rights.base > 0) return { title: m.tx_ask_pass(), hint: '' };
  const cheques = scene.actions.some((a) => a.kind === 'cheque' || a.kind === 'remove' || a.kind === 'swap');
  return { title: cheques ? m.tx_ask_end() : m.tx_ask_end_only(), hint: m.tx_hint_end() };
}

export function deed(action: TerraxAction): { text: string; glyph: string } {
  const text = action.label;
  switch (action.kind) {
    case 'mark': return { text: action.card ? m.tx_do_mark() : m.tx_do_skip(), glyph: 'marker' };
    case 'claim': return { text: text ?? m.tx_do_claim(), glyph: 'check' };
    case 'late': return { text: text ?? m.tx_do_late(), glyph: 'cheque' };
    case 'remove': return { text: text ?? m.tx_do_remove(), glyph: 'remove' };
    case 'swap': return { text: m.tx_do_swap({ place: placeName(action.card) }), glyph: 'swap' };
    case 'keep': return { text: m.tx_do_keep({ place: placeName(action.card) }), glyph: 'check' };
    case 'end': return { text: m.tx_do_end(), glyph: 'check' };
    case 'pass': return { text: m.tx_do_pass(), glyph: 'pass' };
    default: return { text: text ?? m.tx_do_lay(), glyph: action.kind === 'loop' ? 'loop' : 'arrow' };
  }
}

export function question(action: TerraxAction): string {
  switch (action.kind) {
    case 'mark': return m.tx_q_mark({ place: placeName(action.card) });
    case 'claim':
    case 'late': return m.tx_q_claim({ place: placeName(action.card) });
    default: return m.tx_q_lay({ from: placeName(action.from), to: placeName(action.to), colour: colourName(action.colour) });
  }
}

/** The whole of an action in words. */
export function advice(action: TerraxAction): string {
  if (action.kind === 'cheque') return `${question(action)}, ${m.tx_v_cheque()}`;
  if (action.kind === 'remove') return `${deed(action).text}: ${colourName(action.colour)}`;
  return ['mark', 'claim', 'late', 'base', 'green', 'loop'].includes(action.kind) && (action.card ?? action.to) ? question(action) : deed(action).text;
}

/** What a step brought, in a few signs: ✓ a mission, ★ an open one, +1 cheque. */
function notes(step: Step, effect: TerraxEffect): string {
  const list = effect.completed.map((done) => `${done.open ? '★' : '✓'}${done.seat === step.seat ? '' : ` ${seatShort(done.seat)}`}`);
  const cheques = effect.cheques[step.seat] ?? 0;
  if (effect.kind !== 'cheque' && cheques > 0) list.push(`+${cheques} $`);
  if (effect.loop) list.push('⟲');
  return list.length ? ` ${list.join(' ')}` : '';
}

export function actionText(step: Step): string {
  const effect = step.effect as TerraxEffect | undefined;
  const text = step.text ?? '';
  if (!effect) return endingText(step.reason ?? '');
  const { colour, to, card } = reading(text);
  switch (effect.kind) {
    case 'mark': return card ? placeName(card) : m.tx_log_skip();
    case 'end': return m.tx_log_end();
    case 'pass': return m.tx_do_pass();
    case 'remove': return `$ ${m.tx_log_remove({ colour: colour ?? '', place: placeName(to) })}${notes(step, effect)}`;
    case 'swap': return `$ ${card ? m.tx_log_swap_card({ place: placeName(card) }) : m.tx_log_swap()}`;
    case 'keep': return (card ? m.tx_log_keep_card({ place: placeName(card) }) : m.tx_log_keep()) + notes(step, effect);
    case 'claim': return `✓ ${placeName(card)}${step.seat >= 0 ? ` ${seatShort(step.seat)}` : ''}`;
    case 'late': return `$ ✓ ${placeName(card)}`;
    default: return `${{ base: '', green: '+ ', loop: '⟲ ', cheque: '$ ' }[effect.kind]}${colour}→${placeName(to)}${notes(step, effect)}`;
  }
}

const points = (n: number): string => (n < 0 ? `−${-n}` : `+${n}`);

export function scoreLines(effect: TerraxEffect, names: string[]): string[] {
  return effect.completed.map((done) => {
    const words = { name: names[done.seat] ?? '', place: placeName(done.card) };
    /* A card out of the hand is worth two, a marker won back two more (§10). */
    if (done.open) return m.tx_sc_open({ ...words, points: points(1) });
    const marker = done.marker && seatOf?.options.var_choose !== 'on';
    return marker ? m.tx_sc_marker({ ...words, points: points(4) }) : m.tx_sc_own({ ...words, points: points(2) });
  });
}

export function eventText(step: Step, names: string[]): string {
  const name = names[step.seat] ?? '';
  const effect = step.effect as TerraxEffect | undefined;
  if (!effect) return `${name}: ${endingText(step.reason ?? '')}`;
  const { colour, to, card } = reading(step.text ?? '');
  const what = (): string => {
    switch (effect.kind) {
      case 'mark': return card ? m.tx_ev_mark({ name, place: placeName(card) }) : '';
      case 'end': return m.tx_ev_end({ name });
      case 'pass': return m.tx_ev_pass({ name });
      case 'remove': return m.tx_ev_remove({ name, colour: colourName(colour), place: placeName(to) });
      case 'swap': return m.tx_ev_swap({ name });
      case 'keep': return m.tx_ev_keep({ name });
      case 'claim':
      case 'late': return m.tx_ev_claim({ name, place: placeName(card) });
      default: return m.tx_ev_lay({ name, colour: colourName(colour), place: placeName(to) });
    }
  };
  const more = scoreLines(effect, names).map((line) => `${line}.`);
  if ((effect.cheques[step.seat] ?? 0) > 0) more.push(m.tx_ev_cheque({ name }));
  if (effect.loop) more.push(m.tx_ev_loop({ colour: colourName(colour) }));
  return [what(), ...more].filter(Boolean).join(' ');
}

export function endingText(reason: string): string {
  switch (reason) {
    case 'cards': return m.tx_end_cards();
    case 'arrows': return m.tx_end_arrows();
    case 'deadlock': return m.tx_end_deadlock();
    case 'rounds': return m.tx_end_rounds();
    case 'aborted': return m.tx_end_aborted();
    case 'resign': return m.end_resign();
    case 'time': return m.end_time();
    case 'agreed': return m.end_agreed();
    case 'abandoned': return m.end_abandoned();
    default: return reason;
  }
}
