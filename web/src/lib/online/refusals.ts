/* What the server refused, in the reader's language. */
import type { Fault } from '../engine/types';
import { faultText } from '../faults';
import { m } from '../../paraglide/messages';
import { Refused } from './connection.svelte';

const names: Record<string, () => string> = {
  offline: m.err_offline,
  message: m.err_message,
  command: m.err_message,
  field: m.err_field,
  who: m.err_who,
  unknown: m.err_unknown,
  state: m.err_state,
  turn: m.err_turn,
  stale: m.err_stale,
  steps: m.err_steps,
  name: m.err_name,
  taken: m.err_taken,
  password: m.err_password,
  flood: m.err_flood,
  busy: m.err_busy,
  restarting: m.err_restarting,
  store: m.err_store,
  broken: m.err_broken,
};

/** Where one name stands for several reasons. */
const phrases: Record<string, () => string> = {
  'no seat is free here': m.err_full,
  'you sit at too many tables already': m.err_many,
  'there is nothing to take back': m.err_nothing_back,
  'somebody here does not want to play you': m.err_unwanted,
  'name or code is wrong': m.err_code,
  'only boards and maps can be given here, and none in rated games': m.err_given,
  'there is no such player': m.err_no_player,
  'rated games are for accounts: sign in first': m.lock_rated,
  'a rated game needs two people': m.err_rated_two,
};

export function refusal(error: unknown): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const { name, phrase } = error.error;
  const words = phrases[phrase] ?? names[name];
  return words ? words() : faultText({ paragraph: null, line: 0, column: 0, subject: '', ...error.error } as Fault);
}
