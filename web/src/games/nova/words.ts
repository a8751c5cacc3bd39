/* Terra Nova in words: names of spaces, prompts, log lines. */
import type { Step } from '../../lib/engine/types';
import { m } from '../../paraglide/messages';
import { landTokens, type NovaAction, type NovaEffect, type NovaScene, type NovaStep } from './scene';

const dash = (text: string): string => text.replace(/^(\w+)-(\w+)/, '$1–$2');

export function landName(token: string, given: string): string {
  switch (token === given ? token : '') {
    case 'lake': return m.land_lake();
    case 'forest': return m.land_forest();
    case 'meadow': return m.land_meadow();
    case 'farmland': return m.land_farmland();
    case 'prairie': return m.land_prairie();
    case 'steppe': return m.land_steppe();
    case 'hills': return m.land_hills();
    case 'rock': return m.land_rock();
    default: return given;
  }
}

export function colourName(colour: string): string {
  switch (colour) {
    case 'y': return m.seat_sun();
    case 'r': return m.seat_peak();
    case 'b': return m.seat_wave();
    default: return m.seat_leaf();
  }
}

/** "h11, rock, your pioneer, can move to 16 hexes" */
/** A hex in words; `chosen`: the pioneer that is about to move. */
export function describe(scene: NovaScene, hex: string, legal: NovaAction[], chosen: string | null = null): string {
  const cell = scene.cells.find((c) => c.hex === hex);
  if (!cell) return hex;
  const tokens = landTokens(scene);
  const parts = [hex, landName(tokens[cell.land]!, scene.board.landscapes[cell.land]!.name)];
  const pioneer = scene.pioneers.find((p) => p.hex === hex);
  if (pioneer) parts.push(pioneer.seat === scene.seat && legal.length ? m.nova_own_pioneer() : m.nova_pioneer_of({ seat: colourName(scene.seats[pioneer.seat]!.colour) }));
  else if (scene.stones.includes(hex)) parts.push(m.nova_stone());
  else if (scene.closed.some((list) => list.includes(hex))) parts.push(m.nova_closed());
  else parts.push(m.nova_free());
  const moves = legal.filter((a) => a.kind === 'move' && a.from === hex).length;
  if (moves) parts.push(m.nova_can_move({ count: moves }));
  if (chosen && legal.some((a) => a.kind === 'move' && a.from === chosen && a.to === hex)) parts.push(m.nova_move_legal());
  if (legal.some((a) => a.kind === 'stone' && a.to === hex)) parts.push(m.nova_stone_legal());
  if (legal.some((a) => a.kind === 'place' && a.to === hex)) parts.push(m.nova_place_legal());
  return parts.join(', ');
}

export function prompt(scene: NovaScene, mine: boolean): { title: string; hint: string } {
  if (scene.phase === 'place') return { title: m.nova_ask_place({ left: scene.seats[scene.seat]?.hand ?? 0 }), hint: mine ? m.nova_hint_place() : '' };
  if (scene.action === 1) return { title: m.nova_ask_move(), hint: m.nova_hint_move() };
  const stones = scene.actions.some((a) => a.kind === 'stone');
  return stones ? { title: m.nova_ask_either(), hint: m.nova_hint_either() } : { title: m.nova_ask_move(), hint: m.nova_hint_no_stone() };
}

export function stages(scene: NovaScene, draft: Step[], complete: boolean): { text: string; state: 'done' | 'now' | 'later' }[] {
  const done = (draft as NovaStep[]).map((step) => ({ text: actionText(step), state: 'done' as const }));
  if (complete || scene.phase !== 'play') return done;
  const rest = Array.from({ length: 4 - scene.action }, (_, i) => ({
    text: scene.action + i === 1 ? m.nova_stage_move() : m.nova_stage_either(),
    state: i === 0 ? ('now' as const) : ('later' as const),
  }));
  return [...done, ...rest];
}

export function deed(action: NovaAction): { text: string; glyph: string } {
  switch (action.kind) {
    case 'stone': return { text: m.nova_do_stone(), glyph: 'stone' };
    case 'place': return { text: m.nova_do_place(), glyph: 'check' };
    case 'pass': return { text: m.nova_do_pass(), glyph: 'pass' };
    default: return { text: m.nova_do_move(), glyph: 'next' };
  }
}

export function question(action: NovaAction): string {
  switch (action.kind) {
    case 'stone': return m.nova_confirm_stone({ hex: action.to! });
    case 'place': return m.nova_confirm_place({ hex: action.to! });
    default: return m.nova_confirm_move({ hex: action.to! });
  }
}

export function actionText(step: Step): string {
  const effect = step.effect as NovaEffect | undefined;
  if (!effect) return endingText(step.reason ?? '');
  switch (effect.kind) {
    case 'move': return dash(step.text!);
    case 'stone': return `⬢ ${step.text!.slice(1).replaceAll('()', '(–)')}`;
    case 'place': return step.text!;
    default: return m.nova_passes();
  }
}

export function eventText(step: Step, names: string[]): string {
  const name = names[step.seat] ?? '';
  const effect = step.effect as NovaEffect | undefined;
  if (!effect) return `${name}: ${endingText(step.reason ?? '')}`;
  switch (effect.kind) {
    case 'move': return m.nova_event_move({ name, from: effect.from!, to: effect.to! });
    case 'place': return m.nova_event_place({ name, hex: effect.to! });
    case 'pass': return m.nova_event_pass({ name });
    default: return [m.nova_event_stone({ name, hex: effect.to! }), ...scoreLines(effect, names)].join(' ');
  }
}

/** "12 hexes × 2 = 24 for Blue", one line per territory. */
export function scoreLines(effect: NovaEffect, names: string[]): string[] {
  return effect.territories.map((t) => {
    const sum = { size: t.size, factor: t.factor, value: t.value };
    if (t.gains.length === 0) return m.nova_score_nobody(sum);
    const winners = t.gains.map((gain) => names[gain.seat]).join(', ');
    if (t.gains.length === 1) return m.nova_score_one({ ...sum, name: winners });
    return m.nova_score_shared({ ...sum, names: winners, each: t.gains[0]!.points });
  });
}

export function endingText(reason: string): string {
  switch (reason) {
    case 'divided': return m.end_divided();
    case 'alone': return m.end_alone();
    case 'wiped': return m.end_wiped();
    case 'stones': return m.end_stones();
    case 'quiet': return m.end_quiet();
    case 'resign': return m.end_resign();
    case 'time': return m.end_time();
    case 'agreed': return m.end_agreed();
    case 'abandoned': return m.end_abandoned();
    default: return reason;
  }
}
