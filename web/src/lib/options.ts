/* Names, values and one-line help of a game's options in the reader's language;
 * the game's own English where we have none. */
import { m } from '../paraglide/messages';
import type { Option } from './engine/types';

const names: Record<string, () => string> = {
  'nova.edition': m.opt_edition,
  'nova.return': m.opt_return,
  'nova.finish_turn': m.opt_finish_turn,
  'nova.alone': m.opt_alone,
  'nova.wiped': m.opt_wiped,
  'nova.out_of_stones': m.opt_out_of_stones,
  'nova.stones': m.opt_stones,
  'nova.pioneers': m.opt_pioneers,
  'nova.quiet': m.opt_quiet,
  'nova.setup': m.opt_setup,
  'nova.tie': m.opt_tie,
};

const helps: Record<string, () => string> = {
  'nova.edition': m.opt_edition_help,
  'nova.return': m.opt_return_help,
  'nova.finish_turn': m.opt_finish_turn_help,
  'nova.alone': m.opt_alone_help,
  'nova.wiped': m.opt_wiped_help,
  'nova.out_of_stones': m.opt_out_of_stones_help,
  'nova.stones': m.opt_stones_help,
  'nova.pioneers': m.opt_pioneers_help,
  'nova.quiet': m.opt_quiet_help,
  'nova.setup': m.opt_setup_help,
  'nova.tie': m.opt_tie_help,
};

const values: Record<string, () => string> = {
  'nova.board.island': m.board_island,
  'nova.board.twins': m.board_twins,
  'nova.board.islet': m.board_islet,
  'nova.board.continent': m.board_continent,
  'nova.edition.en': m.edition_en,
  'nova.edition.nl': m.edition_nl,
  'nova.edition.sv': m.edition_sv,
  'nova.return.en': m.edition_en,
  'nova.return.nl': m.edition_nl,
  'nova.return.sv': m.edition_sv,
  'nova.return.strict': m.value_strict,
  'nova.finish_turn.yes': m.yes,
  'nova.finish_turn.no': m.no,
  'nova.alone.now': m.value_now,
  'nova.alone.lasting': m.value_lasting,
  'nova.wiped.play': m.value_play_on,
  'nova.wiped.end': m.value_game_ends,
  'nova.out_of_stones.play': m.value_play_on,
  'nova.out_of_stones.end': m.value_game_ends,
  'nova.setup.free': m.value_free,
  'nova.setup.random': m.value_random,
  'nova.tie.shared': m.value_shared,
  'nova.tie.pioneers': m.value_pioneers,
};

const plain = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

export const optionName = (game: string, option: string): string => names[`${game}.${option}`]?.() ?? plain(option);
export const optionHelp = (game: string, option: Option): string => helps[`${game}.${option.name}`]?.() ?? option.help;
export const valueName = (game: string, option: string, value: string): string => values[`${game}.${option}.${value}`]?.() ?? plain(value);
