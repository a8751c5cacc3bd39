/* The words of the rules are the same everywhere: in the messages of the client
 * and in the rule books, in every language (docs/glossary.tsv). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locales, type Locale } from '../../src/paraglide/runtime';
import { read, type Message } from '../../tools/messages.mjs';
import { ROOT } from './terra';

interface Term { forms: string[]; never: string[] }
type Entry = { game: string } & Record<Locale, Term>;

const term = (cell: string): Term => {
  const [forms = '', ...never] = cell.split('!');
  return { forms: forms.split('|'), never };
};
const entries: Entry[] = readFileSync(join(ROOT, 'docs/glossary.tsv'), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#') && !line.startsWith('game\t'))
  .map((line) => {
    const cells = line.split('\t');
    if (cells.length !== locales.length + 1) throw new Error(`docs/glossary.tsv: ${line}`);
    return { game: cells[0]!, ...Object.fromEntries(locales.map((locale, i) => [locale, term(cells[i + 1]!)])) } as Entry;
  });

const plain = (message: Message): string => (typeof message === 'string' ? message : message.slice(1).join(' ')).replace(/\{\w+\}/g, ' ');
const kept = new Map<string, RegExp>();
const regex = (pattern: string): RegExp => {
  const old = kept.get(pattern) ?? new RegExp(pattern, 'iu');
  kept.set(pattern, old);
  return old;
};
const word = (text: string, end = ''): RegExp => regex(`(?<!\\p{L})${text}${end}(?!\\p{L})`);
const speaksOf = (english: string, words: string[]): boolean => words.some((one) => word(one, '(s|es)?').test(english));
/* In a compound the word may also stand inside. */
const holds = (text: string, words: string[]): boolean => words.some((one) => regex(one).test(text));
const forbidden = (text: string, words: string[]): string | undefined => words.find((one) => word(one).test(text));

/* Which messages speak of which game. */
const gameOf = (key: string): string => (/^(mt_|fault_mt_|mystica_)/.test(key) ? 'mystica' : /^(tx_|fault_tx_|terrax_)/.test(key) ? 'terrax' : 'nova');
const about = (entry: Entry, key: string): boolean => entry.game === 'all' || entry.game === gameOf(key);

/* Said by other means, for a reason. */
const free: Record<string, string> = { fault_stone_return: 'at home, in one word', learn_score_text: 'who has the most, not the player who' };

const wrongWords = (entry: Entry, locale: Locale, english: string, text: string): string => {
  const bad = forbidden(text, entry[locale].never);
  if (bad) return `says “${bad}” for “${entry.en.forms[0]}”`;
  if (speaksOf(english, entry.en.forms) && !holds(text, entry[locale].forms)) return `lacks “${entry[locale].forms[0]}” for “${entry.en.forms[0]}”`;
  return '';
};

test('the glossary itself', () => {
  expect(entries.length).toBeGreaterThan(30);
  for (const entry of entries) for (const locale of locales) expect([entry.en.forms[0], locale, entry[locale].forms[0]!.length > 1]).toEqual([entry.en.forms[0], locale, true]);
});

test('a wrong word is noticed', () => {
  const faction = entries.find((entry) => entry.en.forms[0] === 'faction')!;
  expect(wrongWords(faction, 'sv', 'Which faction?', 'Vilken fraktion?')).toMatch('says “fraktion”');
  expect(wrongWords(faction, 'sv', 'Which faction?', 'Vilket slag?')).toMatch('lacks “folk”');
  expect(wrongWords(faction, 'sv', 'Which faction?', 'Vilket folk?')).toBe('');
});

describe.each(locales.filter((locale) => locale !== 'en'))('%s', (locale) => {
  test('messages use the words of the glossary', () => {
    const english = read('en');
    const words = read(locale);
    const wrong = [...english].flatMap(([key, message]) => {
      if (key in free || !words.has(key)) return [];
      const text = plain(words.get(key)!);
      return entries.filter((entry) => about(entry, key)).map((entry) => wrongWords(entry, locale, plain(message), text)).filter(Boolean).map((why) => `${key}: ${why}: ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  test.each(['nova', 'terrax', 'mystica'])('the rule book of %s uses the words of the glossary', (game) => {
    const path = join(ROOT, `docs/rules/${locale}/${game}.md`);
    if (!existsSync(path)) return;
    const english = readFileSync(join(ROOT, `docs/rules/${game}.md`), 'utf8');
    const text = readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '');
    const mine = entries.filter((entry) => entry.game === 'all' || entry.game === game);
    expect(mine.map((entry) => wrongWords(entry, locale, english, text)).filter(Boolean)).toEqual([]);
  });
});
