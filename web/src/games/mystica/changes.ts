/* What a change of resources is in words and glyphs. */
import { m } from '../../paraglide/messages';
import { tracks, unitGlyphs, type Change, type MysticaEffect, type MysticaStep } from './scene';
import { amount, cultName, spaceName } from './words';

export interface Line { glyph: string; text: string }
export interface Lines { costs: Line[]; gains: Line[]; rest: Line[]; warnings: Line[] }

const units = ['C', 'W', 'P', 'VP', 'spades', 'keys'] as const;
/* What adds up over a turn. */
const sums = [...units, 'tokens', 'pay'] as const;
const wastes: Record<string, (inputs: { n: number }) => string> = {
  power: m.mt_waste_power, 'cult step': m.mt_waste_cult, priest: m.mt_waste_priest, spade: m.mt_waste_spade, 'coins without a neighbour': m.mt_waste_coins,
  'income power': m.mt_waste_income_power, 'income priest': m.mt_waste_income_priest,
};

/* "action BON1": a space that nobody comes to any more this round. */
const wasteText = (what: string, n: number): string => (what.startsWith('action ') ? m.mt_waste_action({ what: spaceName(what.slice(7)) }) : (wastes[what]?.({ n }) ?? what));

type Offered = NonNullable<MysticaEffect['offers']>[number];
function offerText({ seat, gain, price, coin }: Offered, names: string[]): string {
  const name = names[seat] ?? '';
  const power = [...(gain ? [amount(gain, 'PW')] : []), ...(coin ? [amount(1, 'C')] : [])].join(' / ');
  return price ? m.mt_may_buy({ name, power, vp: amount(price, 'VP') }) : m.mt_may_take({ name, power });
}

/** An effect as lines; `bowls` are those before it. */
export function linesOf(effect: MysticaEffect | null | undefined, names: string[], bowls: number[] | undefined): Lines {
  const lines: Lines = { costs: [], gains: [], rest: [], warnings: [] };
  const change = effect?.seat_change;
  if (!change) return lines;
  for (const unit of units) {
    const n = change[unit] ?? 0;
    if (n) (n < 0 ? lines.costs : lines.gains).push({ glyph: unitGlyphs[unit]!, text: amount(Math.abs(n), unit) });
  }
  if (change.pay && change.pay > 0) lines.costs.push({ glyph: 'down', text: m.mt_cost_down({ n: change.pay }) });
  if (change.tokens) {
    const text = amount(Math.abs(change.tokens), 'tokens');
    if (change.tokens < 0) lines.costs.push({ glyph: 'power', text: m.mt_forgood({ what: text }) });
    else lines.gains.push({ glyph: 'power', text });
  }
  change.steps.forEach((by, t) => {
    if (by) lines.rest.push({ glyph: `cult-${tracks[t]!.toLowerCase()}`, text: `${cultName(tracks[t]!)} ${change.cults[t]! - by} → ${change.cults[t]}` });
  });
  if (bowls && change.bowls.some((n, i) => n !== bowls[i])) lines.rest.push({ glyph: 'power', text: m.mt_bowls_after({ a: change.bowls[0], b: change.bowls[1], c: change.bowls[2] }) });
  if ((change.favour_tiles ?? 0) > 0) lines.rest.push({ glyph: 'favour', text: m.mt_then_favour() });
  if ((change.town_tiles ?? 0) > 0) lines.rest.push({ glyph: 'town', text: m.mt_then_town() });
  for (const offer of effect.offers ?? []) lines.rest.push({ glyph: 'players', text: offerText(offer, names) });
  for (const { wastes: what, count } of effect.warnings ?? []) lines.warnings.push({ glyph: 'warning', text: wasteText(what, count) });
  return lines;
}

/** The same lines to be heard: "costs 2 workers, 3 coins; brings 4 VP". */
export function heardOf({ costs, gains, rest, warnings }: Lines): string {
  const list = (lines: Line[]): string => lines.map(({ text }) => text).join(', ');
  const paid = [costs.length ? m.mt_say_costs({ list: list(costs) }) : '', gains.length ? m.mt_say_gains({ list: list(gains) }) : ''];
  return [...paid, ...[...rest, ...warnings].map(({ text }) => text)].filter(Boolean).join('; ');
}

/** The steps of a seat that belong to the turn in progress. */
export function draftOf(log: MysticaStep[], seat: number): MysticaStep[] {
  let from = log.length;
  while (from > 0 && log[from - 1]!.seat === seat && !log[from - 1]!.last) from--;
  return log.slice(from);
}

/** All of a turn as one effect. */
export function sumOf(steps: MysticaStep[], more?: MysticaEffect | null): MysticaEffect | null {
  const parts = [...steps.map((step) => step.effect), more].filter((effect): effect is MysticaEffect => !!effect?.seat_change);
  const last = parts.at(-1)?.seat_change;
  if (!last) return null;
  const total = (unit: (typeof sums)[number]): number => parts.reduce((sum, { seat_change }) => sum + (seat_change![unit] ?? 0), 0);
  const seat_change: Change = { ...last, VP: 0, favour_tiles: 0, town_tiles: 0, steps: last.steps.map((_, t) => parts.reduce((sum, one) => sum + one.seat_change!.steps[t]!, 0)) };
  for (const unit of sums) seat_change[unit] = total(unit);
  return { kind: 'turn', seat_change, offers: parts.flatMap((one) => one.offers ?? []), warnings: parts.flatMap((one) => one.warnings ?? []) };
}
