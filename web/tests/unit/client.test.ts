import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { layoutOf, middle, nearest, neighbour, rim } from '../../src/games/nova/geometry';
import type { NovaScene } from '../../src/games/nova/scene';
import { labels, layoutOf as mapOf } from '../../src/games/terrax/geometry';
import type { TerraxScene } from '../../src/games/terrax/scene';
import { faultPhrase } from '../../src/lib/faults';
import { pack, unpack } from '../../src/lib/share';
import { isSavedGame } from '../../src/lib/store/db';
import { kept } from '../../src/lib/table/kept';
import { turnsOf } from '../../src/lib/turns';
import type { Step } from '../../src/lib/engine/types';
import { loadModule } from './terra';

describe('geometry', () => {
  const terra = loadModule();
  const opened = terra.open('game: nova\nseats: 2\n');
  const scene = terra.scene(opened.ok ? opened.value : 0, -1, -1) as NovaScene;
  const layout = layoutOf(scene);

  test('one layout per board', () => expect(layoutOf(structuredClone(scene))).toBe(layout));
  test('the hex under its own centre is itself', () => {
    for (const place of layout.places) expect(nearest(layout, place)?.hex).toBe(place.hex);
  });
  test('there and back again', () => {
    for (const place of layout.places) {
      const east = neighbour(layout, place, 'e');
      if (east) expect(neighbour(layout, east, 'w')?.hex).toBe(place.hex);
      const down = neighbour(layout, place, 'se');
      if (down) expect(neighbour(layout, down, 'nw')?.hex).toBe(place.hex);
    }
  });
  test('a lone hex has six sides, a pair ten', () => {
    const [a] = layout.places;
    const b = neighbour(layout, a!, 'e')!;
    expect(rim(layout, [a!.hex]).split('M').length - 1).toBe(6);
    expect(rim(layout, [a!.hex, b.hex]).split('M').length - 1).toBe(10);
    expect(middle(layout, [a!.hex])).toMatchObject({ hex: a!.hex });
  });
});

describe('names on the world map', () => {
  const terra = loadModule();
  const opened = terra.open('game: terrax\nseats: 2\n');
  const layout = mapOf(terra.scene(opened.ok ? opened.value : 0, -1, -1) as TerraxScene);
  const names = (size: number, must: boolean) => [...layout.at.values()].map((place) => ({ place, text: 'Terracotta Army', gap: 20, must, size }));
  const put = (size: number, must = false) => labels(layout, names(size, must), size, 1);
  const left = (size: number, { x, anchor }: { x: number; anchor: string }): number => x - { start: 0, middle: 0.5, end: 1 }[anchor]! * 15 * 0.6 * size;

  test('none is cut off by the edge', () => {
    for (const size of [14, 36])
      for (const label of put(size, true)) expect([left(size, label!) >= 0, left(size, label!) + 15 * 0.6 * size <= layout.width]).toEqual([true, true]);
  });
  test('none lies upon another', () => {
    const shown = put(30).filter((label) => label !== null);
    expect(shown.length).toBeGreaterThan(10);
    for (const a of shown)
      for (const b of shown) {
        const across = Math.max(0, 1 - Math.abs(left(30, a) - left(30, b)) / (15 * 0.6 * 30));
        const down = Math.max(0, 1 - Math.abs(a.y - b.y) / (0.9 * 30));
        expect(a === b || across * down < 0.06, `${a.place} and ${b.place}`).toBe(true);
      }
  });
  test('what must be seen is', () => expect(put(30, true)).not.toContain(null));
});

describe('a scene after another', () => {
  test('is told as it is, whatever was before', () => fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (before, now) => {
    const told = structuredClone(now);
    expect(kept(before, now)).toEqual(told);
  }), { seed: 7 }));
  test('keeps the objects of what stays, and no others', () => {
    const before = { seats: [{ C: 1, bowls: [1, 2] }, { C: 2, bowls: [3] }], actions: [] as string[] };
    const { seats } = before;
    const now = kept(before, { seats: [{ C: 1, bowls: [1, 2] }, { C: 3, bowls: [3] }], actions: ['pass'] });
    expect(now.seats).not.toBe(seats);
    expect(now.seats[0]).toBe(seats[0]);
    expect(now.seats[1]).not.toBe(seats[1]);
    expect(now.seats[1]!.bowls).toBe(seats[1]!.bowls);
    expect(kept(now, structuredClone(now))).toBe(now);
    expect(kept({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  });
});

test('links hold any text', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 500 }), async (text) => { expect(await unpack(await pack(text))).toBe(text); }), { numRuns: 50 });
  await fc.assert(fc.asyncProperty(fc.string({ maxLength: 80 }), async (junk) => { const text = await unpack(junk); expect(text === null || typeof text === 'string').toBe(true); }), { numRuns: 50 });
});

test('only our own saved games are opened', () => {
  const good = { id: 'x', version: 1, game: 'nova', title: 't', created: 1, updated: 1, text: '', committed: 0, seats: [{ name: 'a', player: 'human' }], summary: { colours: ['y'], points: [0], board: '', turn: 0, actor: 0, over: false }, seed: 1 };
  expect(isSavedGame(good)).toBe(true);
  for (const key of ['version', 'text', 'seats', 'summary', 'title', 'committed']) expect(isSavedGame({ ...good, [key]: undefined })).toBe(false);
  expect(isSavedGame({ ...good, version: 2 })).toBe(false);
  fc.assert(fc.property(fc.anything(), (value) => { expect(isSavedGame(value)).toBe(false); }), { numRuns: 200 });
});

test('turns are numbered by round and seat, placements on their own', () => {
  const step = (seat: number, kind: string, last: boolean): Step => ({ seat, kind: 'action', effect: { kind }, points: [0, 0], last });
  const log = [step(0, 'place', true), step(1, 'place', true), step(0, 'move', false), step(0, 'stone', true), step(1, 'move', true), step(0, 'move', false)];
  const turns = turnsOf(log, { phase: (s) => ((s.effect as { kind: string }).kind === 'place' ? 'P' : '') });
  expect(turns.map((turn) => turn.label)).toEqual(['P1.1', 'P1.2', '1.1', '1.2', '2.1']);
  expect(turns.map((turn) => turn.steps.length)).toEqual([1, 1, 2, 1, 1]);
  expect(turns.at(-1)!.complete).toBe(false);
});

describe('faults', () => {
  /* Read from the tables themselves, so that a new fault needs its words. */
  const names = ['game/fault.c', 'rules/nova/faults.c'].flatMap((file) => [...readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').matchAll(/\{(?:FAULT|NOVA)_\w+,\s*"([\w.-]+)"/g)].map((match) => match[1]!)).filter((name) => name !== 'none');
  test('the tables were found', () => expect(names.length).toBeGreaterThan(60));
  test.each(names)('%s has words of its own in every language', (name) => {
    expect(faultPhrase({ name, phrase: 'untranslated', paragraph: null, line: 0, column: 0, subject: '' })).not.toMatch(/untranslated/i);
  });
});
