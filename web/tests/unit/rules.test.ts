/* The rule books: one source, rendered by the client, in every language; every
 * refusal leads to a paragraph that exists, every diagram can be drawn. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lesson } from '../../src/lib/lessons/nova';
import { lesson as terrax } from '../../src/lib/lessons/terrax';
import { address, cited, paragraphOf } from '../../src/lib/rules/address';
import { complete, numbers, readBook, type Paragraph } from '../../src/lib/rules/book';
import { loadModule, ROOT } from './terra';

const terra = loadModule();
const games = ['nova', 'terrax', 'mystica'];
const source = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const book = (game: string, locale = 'en'): Paragraph[] => readBook(source(`docs/rules/${locale === 'en' ? '' : `${locale}/`}${game}.md`), game);

const faultsOf = (file: string): { name: string; paragraph: string | null }[] =>
  [...source(file).matchAll(/\{[A-Z_0-9]+,\s*"([a-z0-9.-]+)",\s*(?:"[^"]*"\s*)+,\s*(?:"([^"]*)"|NULL)\s*\}/g)]
    .map((one) => ({ name: one[1]!, paragraph: one[2] ?? null })).filter((fault) => fault.name !== 'none');
const tables: Record<string, string> = { nova: 'rules/nova/faults.c', terrax: 'rules/terrax/tables.c', mystica: 'rules/mystica/faults.c' };

describe.each(games)('%s', (game) => {
  const english = book(game);

  test('every refusal leads to a paragraph that exists', () => {
    const known = numbers(english);
    const list = [...faultsOf(tables[game]!), ...faultsOf('game/fault.c')];
    expect(list.length).toBeGreaterThan(40);
    const lost = list.filter((fault) => {
      const paragraph = paragraphOf(fault, game);
      const place = paragraph ? cited(paragraph) : null;
      return !place || place.game !== game || !known.has(place.id);
    });
    expect(lost.map((fault) => `${fault.name} ${fault.paragraph}`)).toEqual([]);
  });

  test('paragraphs are numbered once, and refer to what is there', () => {
    const ids = english.flatMap((one) => [one.id, ...one.also]).filter(Boolean);
    expect(new Set(ids).size).toBe(ids.length);
    const known = numbers(english);
    const links = english.flatMap((one) => one.blocks.flatMap((block) => [...(block.html ?? '').matchAll(/href="#\/rules\/\w+\/([\d.]+)"/g)].map((found) => found[1]!)));
    expect(links.filter((id) => !known.has(id))).toEqual([]);
  });

  test.each(['nl', 'sv', 'de'])('%s has every paragraph, with its items, rows and diagrams', (locale) => {
    const own = book(game, locale);
    const want = english.filter((one) => one.id);
    const shape = (one: Paragraph): unknown => [one.id, one.also, one.level, one.blocks.filter((block) => block.diagram).length];
    expect(own.filter((one) => one.id).map(shape)).toEqual(want.map(shape));
    expect([...numbers(own)].sort()).toEqual([...numbers(english)].sort());
    const positions = (list: Paragraph[]): string[] => list.flatMap((one) => one.blocks.flatMap((block) => (block.diagram ? [block.diagram.text + block.diagram.play] : [])));
    expect(positions(own)).toEqual(positions(english));
    /* Every option and value is named as the program names it. */
    const codes = (list: Paragraph[]): Set<string> => new Set(list.flatMap((one) => [...one.words.matchAll(/`([a-z_]+(?: ?= ?[a-z0-9]+)?)`/g)].map((found) => found[1]!)));
    const lacking = [...codes(want.filter((one) => /^(8|9|12|13)$/.test(one.id)))].filter((code) => !codes(own).has(code));
    expect(lacking.filter((code) => !['terra', 'games'].includes(code))).toEqual([]);
    expect(complete(own, english).filter((one) => one.foreign && one.id).map((one) => one.id)).toEqual([]);
  });

  test('every diagram is drawn', () => {
    for (const one of english) for (const { diagram } of one.blocks) {
      if (!diagram) continue;
      const opened = terra.read(diagram.text, diagram.game);
      expect([diagram.text, opened.ok]).toEqual([diagram.text, true]);
      if (!opened.ok) continue;
      if (diagram.play) expect(terra.type(opened.value, terra.status(opened.value).seat, diagram.play).ok).toBe(true);
      expect(terra.picture(opened.value, -1, -1)).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
      expect(diagram.caption.length).toBeGreaterThan(10);
      terra.close(opened.value);
    }
  });

  test.each(['en', 'nl', 'sv', 'de'])('every option is explained in %s', (locale) => {
    const options = terra.games().find((one) => one.name === game)!.options.map((option) => option.name);
    expect(options.length).toBeGreaterThan(8);
    const text = source(`docs/rules/${locale === 'en' ? '' : `${locale}/`}${game}.md`);
    expect(options.filter((name) => !text.includes(`\n| \`${name}\` |`))).toEqual([]);
  });
});

test('a text like "nova §5.1" is an address', () => {
  expect(address({ name: 'illegal.line', paragraph: 'nova §5.1' })).toBe('#/rules/nova/5.1');
  expect(address({ name: 'illegal.tile', paragraph: 'mystica §18 G18' })).toBe('#/rules/mystica/18');
  expect(address({ name: 'order.turn', paragraph: null }, 'terrax')).toBe('#/rules/terrax/4');
  expect(address({ name: 'text.size', paragraph: null })).toBe('');
});

test('Markdown as the books use it', () => {
  const [one, two] = readBook('# T\n\nA *b* `c<d` §3.1\n\n## 2, 2.5 X\n\n1. first\n   more\n2. second\n', 'nova');
  expect(one!.blocks[0]!.html).toBe('<p>A <i>b</i> <code>c&lt;d</code> <a href="#/rules/nova/3.1">§3.1</a></p>');
  expect([two!.id, two!.also]).toEqual(['2', ['2.5']]);
  expect(two!.blocks[0]!.html).toBe('<ol><li id="p2.1">first more</li><li id="p2.2">second</li></ol>');
  expect(readBook('### 6.3 to 6.5 Ship\n', 'mystica')[0]!.also).toEqual(['6.4', '6.5']);
});

describe.each([lesson, terrax])('exercises of $game', (of) => {
  test.each(of.exercises.map((one) => [one.id, one] as const))('%s begins unsolved and is solved by its solution', (_, exercise) => {
    const opened = terra.read(exercise.start, of.game);
    if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
    const solved = (): boolean => {
      const { scene, log } = terra.snapshot(opened.value, 0, 0);
      return exercise.solved(scene, log);
    };
    expect(solved()).toBe(false);
    for (const text of exercise.solution) {
      expect(solved()).toBe(false);
      expect([text, terra.type(opened.value, 0, text).ok]).toEqual([text, true]);
    }
    expect(solved()).toBe(true);
    terra.close(opened.value);
  });
  test('all different', () => {
    const count = { nova: 10, terrax: 6 }[of.game];
    expect(of.exercises.length).toBe(count);
    expect(new Set(of.exercises.map((one) => one.title())).size).toBe(count);
  });
});

test('no rule book is forgotten', () => {
  for (const locale of ['nl', 'sv', 'de']) for (const game of games) expect(existsSync(join(ROOT, `docs/rules/${locale}/${game}.md`))).toBe(true);
});
