/* What the reader of a ledger remarked, in the reader's language. */
import { m } from '../../paraglide/messages';
import { deed, factionName } from './words';

const cell = (word: (inputs: { cell: string }) => string) => (subject: string): string => word({ cell: subject });
const faction = (word: (inputs: { faction: string }) => string) => (subject: string): string => word({ faction: factionName(subject) });
const action = (word: (inputs: { what: string }) => string) => (subject: string): string => word({ what: deed({ text: subject }).text });

export const remarkWords: Record<string, (subject: string) => string> = {
  bridge: action(m.mt_rm_bridge), ring: action(m.mt_rm_ring), coins: () => m.mt_rm_coins(), correction: action(m.mt_rm_correction), down: action(m.mt_rm_down),
  'late-step': action(m.mt_rm_late_step), 'unused-right': action(m.mt_rm_unused_right), lapsed: faction(m.mt_rm_lapsed), 'unused-spades': faction(m.mt_rm_unused_spades),
  declined: faction(m.mt_rm_declined), river: cell(m.mt_rm_river), leech: faction(m.mt_rm_leech), town: cell(m.mt_rm_town), dig: () => m.mt_rm_dig(), unfinished: () => m.mt_rm_unfinished(),
};

/** "line 12: late cult step, '+FIRE' (late-step)" and what else was remarked, as one sentence or two. */
export function remarkText(remarks: string): string {
  const lines = remarks.trim().split('\n');
  const [, line = '0', subject = '', name = ''] = /^line (\d+): [^']*(?:'(.*)')? ?\(([\w-]+)\)$/.exec(lines[0] ?? '') ?? [];
  const text = m.mt_rm_line({ line, text: remarkWords[name]?.(subject) ?? m.mt_rm_other() });
  return lines.length > 1 ? m.mt_rm_more({ text, n: lines.length - 1 }) : text;
}
