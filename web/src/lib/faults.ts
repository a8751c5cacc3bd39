/* Faults in the reader's language, by their stable name; the engine's own
 * English phrase where we have none. */
import { m } from '../paraglide/messages';
import type { Fault } from './engine/types';

const phrases: Record<string, () => string> = {
  'setup.seats': m.fault_setup_seats,
  'setup.option': m.fault_setup_option,
  'setup.value': m.fault_setup_value,
  'client.game': m.fault_client_game,
  'text.encoding': m.fault_text_encoding,
  'text.size': m.fault_text_size,
  'text.syntax': m.fault_text_syntax,
  'text.format': m.fault_text_format,
  'text.truncated': m.fault_text_truncated,
  'order.turn': m.fault_order_turn,
  'order.over': m.fault_order_over,
  'syntax.hex': m.fault_syntax_hex,
  'illegal.place-first': m.fault_place_first,
  'illegal.place-over': m.fault_place_over,
  'illegal.place-taken': m.fault_place_taken,
  'illegal.pioneer': m.fault_pioneer,
  'illegal.line': m.fault_line,
  'illegal.way': m.fault_way,
  'illegal.return': m.fault_return,
  'illegal.stone-first': m.fault_stone_first,
  'illegal.stone-supply': m.fault_stone_supply,
  'illegal.stone-taken': m.fault_stone_taken,
  'illegal.stone-apart': m.fault_stone_apart,
  'illegal.stone-return': m.fault_stone_return,
  'illegal.pass': m.fault_pass,
  'result.gains': m.fault_gains,
  right: m.fault_tx_right,
  supply: m.fault_tx_supply,
  tail: m.fault_tx_tail,
  leg: m.fault_tx_leg,
  start: m.fault_tx_start,
  uturn: m.fault_tx_uturn,
  double: m.fault_tx_double,
  loop2: m.fault_tx_loop2,
  remove: m.fault_tx_remove,
  swap: m.fault_tx_swap,
  claim: m.fault_tx_claim,
  marks: m.fault_tx_marks,
  base: m.fault_tx_base,
  pass: m.fault_tx_pass,
  place: m.fault_tx_place,
  syntax: m.fault_tx_syntax,
};

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function faultPhrase(fault: Fault): string {
  const phrase = phrases[fault.name]?.() ?? `${upper(fault.phrase)}.`;
  return phrase;
}

/** The whole story: where, what, about what, and by which rule. */
export function faultText(fault: Fault): string {
  const where = fault.line > 0 ? (fault.column > 0 ? m.fault_at_column({ line: fault.line, column: fault.column }) : m.fault_at_line({ line: fault.line })) : '';
  const about = fault.subject ? ` “${fault.subject}”` : '';
  const rule = fault.paragraph ? ` (${fault.paragraph})` : '';
  return `${where ? `${where} ` : ''}${faultPhrase(fault)}${about}${rule}`;
}
