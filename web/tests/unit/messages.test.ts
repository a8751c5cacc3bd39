/* The words of the client: complete in every language, all of them used, and
 * true to the glossary (docs/glossary.tsv). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digits } from '../../src/lib/say.svelte';
import { scores, signed } from '../../src/lib/numbers';
import { m } from '../../src/paraglide/messages';
import { locales, setLocale } from '../../src/paraglide/runtime';
import { inputs, parse, read, type Message } from '../../tools/messages.mjs';
import { ROOT } from './terra';

const english = read('en');
const texts = (message: Message): string[] => (typeof message === 'string' ? [message] : message.slice(1));

const sources = (folder: string): string[] => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return entry.name === 'paraglide' ? [] : sources(path);
  return /\.(ts|svelte)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
});

test('four languages', () => expect(locales).toEqual(['en', 'nl', 'sv', 'de']));

test('every message is used somewhere', () => {
  const used = new Set(sources(join(ROOT, 'web/src')).flatMap((text) => [...text.matchAll(/\bm\.(\w+)/g)].map((one) => one[1]!)));
  expect([...english.keys()].filter((key) => !used.has(key))).toEqual([]);
});

test('a message that is neither text nor plural is refused', () => {
  expect(() => parse('odd', { one: 'x' })).toThrow('message odd');
});

describe.each(locales)('%s', (locale) => {
  const words = read(locale);
  test('says all that English says, with the same inputs', () => {
    expect([...words.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, message] of english) expect([key, inputs(words.get(key)!)]).toEqual([key, inputs(message)]);
  });
  test('nothing is empty, and nothing ends in a space', () => {
    for (const [key, message] of words) for (const text of texts(message)) expect([key, text]).toEqual([key, expect.stringMatching(/^\S(.*\S)?$/s)]);
  });
  test('plurals and numbers are those of the language', async () => {
    await setLocale(locale);
    const [one, two] = [m.nova_pioneers({ count: 1 }), m.nova_pioneers({ count: 2 })];
    const half = signed(-12_345);
    await setLocale('en');
    expect([one, two]).toEqual({ en: ['1 pioneer', '2 pioneers'], nl: ['1 pionier', '2 pioniers'], sv: ['1 pionjär', '2 pionjärer'], de: ['1 Pionier', '2 Pioniere'] }[locale]);
    expect(half).toBe(locale === 'en' ? '−12.3' : '−12,3');
    expect(digits(1.25, 2)).toBe('1.25');
    expect([scores([34, 41]), scores([-1, 11, -7])]).toEqual(['41 – 34', '11 : −1 : −7']);
  });
});
