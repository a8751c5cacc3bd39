/* What the games name has words in every language of the client. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawable } from '../../src/games';
import { linesOf } from '../../src/games/mystica/changes';
import { favours, townPoints, type Change } from '../../src/games/mystica/scene';
import { remarkText } from '../../src/games/mystica/remarks';
import * as words from '../../src/games/mystica/words';
import { faultPhrase } from '../../src/lib/faults';
import { optionHelp, optionName, valueName } from '../../src/lib/options';
import { locales, setLocale, type Locale } from '../../src/paraglide/runtime';
import { loadModule, ROOT } from './terra';

const terra = loadModule();

const source = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((one) => one[1]!);
const inLocale = async <T>(locale: Locale, make: () => T): Promise<T> => {
  await setLocale(locale);
  try { return make(); } finally { await setLocale('en'); }
};

describe.each(locales)('in %s', (locale) => {
  test('every faction of the rules and its special terrain tile', async () => {
    const table = source('rules/mystica/tables.c');
    const names = Object.keys(words.homes);
    expect(names).toHaveLength(20);
    for (const id of names) expect(table).toContain(`"${id}"`);
    await inLocale(locale, () => {
      for (const of of [words.factionName, words.factionText, words.tileName, words.tileText]) {
        const texts = names.map(of);
        for (const [i, text] of texts.entries()) expect([names[i], text.length > 2 && text !== names[i]]).toEqual([names[i], true]);
        expect(new Set(texts).size).toBe(20);
      }
    });
  });

  test('every tile, card and action space', async () => {
    await inLocale(locale, () => {
      for (const { id } of favours) expect(words.favourText(id)).not.toBe('');
      townPoints.forEach((_, i) => expect(words.townText(i + 1)).not.toBe(''));
      for (let i = 1; i <= 10; i++) expect(words.cardName(`BON${i}`)).not.toBe('');
      const spaces = ['ACT1', 'ACT2', 'ACT3', 'ACT4', 'ACT5', 'ACT6', 'BON1', 'BON2', 'FAV6', 'ACTA', 'ACTC', 'ACTE', 'ACTG', 'ACTN', 'ACTS', 'ACTW', 'ACTH5', 'ACTH6'];
      for (const id of spaces) expect(words.spaceName(id)).not.toBe(id);
      /* "Use: action: one step" would say it twice. */
      for (const id of spaces) expect(words.spaceName(id)).not.toContain(':');
    });
  });

  test('every kind of waste', async () => {
    const named = found(source('rules/mystica/scene.c'), /\bwarn\(t, &count, "([^"]+)"/g);
    expect(named).toHaveLength(5);
    /* Actions that cost nothing and are left behind by passing. */
    const kinds = [...named, ...['FAV6', 'BON1', 'BON2', 'ACTA', 'ACTC', 'ACTG', 'ACTN', 'ACTS', 'ACTW'].map((space) => `action ${space}`)];
    const change: Change = { VP: 0, bowls: [0, 0, 0], cults: [0, 0, 0, 0], steps: [0, 0, 0, 0] };
    const tell = () => linesOf({ kind: '', seat_change: change, warnings: kinds.map((wastes) => ({ wastes, count: 7 })) }, [], undefined).warnings.map(({ text }) => text);
    const [english, texts] = [await inLocale('en', tell), await inLocale(locale, tell)];
    expect(texts.filter((text, i) => text.includes(kinds[i]!.replace('action ', '')) && kinds[i]!.startsWith('action ') || text === kinds[i] || (locale !== 'en' && text === english[i]))).toEqual([]);
    expect(texts.filter((text) => text.includes('7'))).toHaveLength(5); /* an action left unused has none */
  });

  test('every deed of the games the project ships', async () => {
    const folder = join(ROOT, 'tests/games/mystica');
    const deeds = new Set(readdirSync(folder).filter((name) => name.endsWith('.tsv')).flatMap((name) => {
      const opened = terra.read(readFileSync(join(folder, name), 'utf8'));
      if (!opened.ok) throw new Error(`${name}: ${JSON.stringify(opened.fault)}`);
      const texts = terra.log(opened.value, 0, -1).flatMap((step) => (step.kind === 'action' ? [step.text ?? ''] : []));
      terra.close(opened.value);
      return texts;
    }));
    expect(deeds.size).toBeGreaterThan(200);
    expect(await inLocale(locale, () => [...deeds].filter((text) => words.deed({ text }).text === text))).toEqual([]);
  });

  test('every remark on a ledger that was read', async () => {
    const names = found(source('rules/mystica/ledger_check.c'), /\[REMARK_\w+\] =\s*\{"([a-z-]+)"/g);
    expect(names.length).toBeGreaterThan(14);
    /* A difference refuses the file: it is told as a fault. */
    const told = names.filter((name) => name !== 'difference');
    const lines = told.map((name) => `line 7: any phrase, 'witches' (${name})\n`);
    const all = [...lines, 'line 7: any phrase (nonsense)\n', lines.join('')];
    const english = await inLocale('en', () => all.map(remarkText));
    const texts = await inLocale(locale, () => all.map(remarkText));
    expect(texts.filter((text) => !text.includes('7') || text.includes('any phrase'))).toEqual([]);
    expect(new Set(texts).size).toBe(all.length);
    if (locale !== 'en') expect(texts.filter((text) => english.includes(text))).toEqual([]);
    expect(texts.at(-1)).toContain(String(told.length - 1));
  });

  test('every option of every game', async () => {
    for (const { name, options } of terra.games()) {
      if (!drawable(name)) continue;
      const shown = options.filter((option) => option.name !== 'board');
      const words = () => shown.map((option) => [optionName(name, option.name), optionHelp(name, option), ...(option.choices ?? []).map((value) => valueName(name, option.name, value))]);
      const texts = await inLocale(locale, words);
      const english = await inLocale('en', words);
      for (const [i, option] of shown.entries()) {
        expect([option.name, texts[i]!.every((text) => text.length > 0)]).toEqual([option.name, true]);
        if (locale !== 'en') expect([option.name, texts[i]![1]]).not.toEqual([option.name, english[i]![1]]);
      }
    }
  });

  test('every fault a game can tell', async () => {
    const tables = ['game/fault.c', 'rules/nova/faults.c', 'rules/terrax/tables.c', 'rules/mystica/faults.c'].map(source).join('\n');
    const names = found(tables, /\{[A-Z_0-9]+,\s*"([a-z0-9.-]+)",\s*"/g).filter((name) => name !== 'none');
    expect(names.length).toBeGreaterThan(190);
    const english = names.map((name) => faultPhrase({ name, phrase: '?' } as never));
    const texts = await inLocale(locale, () => names.map((name) => faultPhrase({ name, phrase: '?' } as never)));
    expect(names.filter((_, i) => texts[i] === '?.')).toEqual([]);
    if (locale !== 'en') expect(names.filter((_, i) => texts[i] === english[i])).toEqual([]);
  });
});

test('the Dutch names of special terrain tiles are those of the rules', async () => {
  const rules = [...source('rules/mystica/tables.c').matchAll(/\.id = "(\w+)"[^]*?\.tile_dutch = "([^"]+)"/g)].map(([, id, dutch]) => [id!, dutch!]);
  expect(rules).toHaveLength(20);
  expect(await inLocale('nl', () => rules.map(([id]) => [id, words.tileName(id!)]))).toEqual(rules);
});
