/* Native and WebAssembly give the same hash after every action. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadModule, ROOT } from './terra';

/* Every recorded game of the tests, in whatever format it was written. */
const folder = join(ROOT, 'tests/games');
const formats = /\.(nova|txg)$|^landscapes-.*\.tsv$/;
const records = readdirSync(folder).flatMap((game) => readdirSync(join(folder, game)).filter((name) => formats.test(name)).map((name) => join(folder, game, name)));
/* Random games: every board of Terra Nova, and every number of seats of all games. */
const setups = ['island', 'twins', 'islet', 'continent'].flatMap((board) =>
  [2, 3, 4].map((seats) => `game: nova\nseats: ${seats}\noption board: ${board}\noption setup: ${seats % 2 ? 'free' : 'random'}\nseed: 00000000000000${seats}7\n`));
for (const { name, seatsMin, seatsMax } of loadModule().games().filter((game) => game.name !== 'nova'))
  for (let seats = seatsMin; seats <= seatsMax; seats++) setups.push(`game: ${name}\nseats: ${seats}\nseed: 000000000000004${seats}\n`);

/* Every bot thinks in every game; the strongest takes its time for less.  In
 * Terra Nova most actions are no placing. */
const levels = { random: 40, novice: 40, casual: 40, club: 40, greedy: 40, expert: 40, master: 10, uct: 3 };
const island = (seats: number, board = 'island') => `nova\nseats: ${seats}\noption board: ${board}\noption setup: random`;
const small = ['nova\nseats: 2', island(2), island(3), island(2, 'islet'), 'terrax\nseats: 3', 'mystica\nseats: 2'];
const large = [island(4), island(2, 'twins'), 'nova\nseats: 4', 'mystica\nseats: 5', 'blank\nseats: 4'];
const thoughts = Object.entries(levels).flatMap(([bot, actions]) =>
  [...small, ...(bot === 'master' || bot === 'uct' ? [] : large)].map((game) => [bot, `game: ${game}\nseed: 0000000000000042\n`, actions] as const));

const helper = join(process.env.TERRA_BUILD ?? join(ROOT, 'build'), 'web/web_hashes');
const native = (...argument: string[]): string[] => execFileSync(helper, argument, { encoding: 'utf8', maxBuffer: 1 << 26 }).trim().split('\n');

describe.skipIf(!existsSync(helper))('native and WebAssembly agree', () => {
  const terra = loadModule();

  test.each(records)('record %s', (name) => {
    const read = terra.read(readFileSync(name, 'utf8'));
    if (!read.ok) throw new Error(JSON.stringify(read.fault));
    const count = terra.status(read.value).count;
    const ours = Array.from({ length: count + 1 }, (_, at) => terra.hash(read.value, at));
    terra.close(read.value);
    expect(ours).toEqual(native(name));
  });

  test.each(setups)('random game %j', (setup) => {
    const opened = terra.open(setup);
    if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
    const ours: string[] = [];
    for (let i = 0; i < 2000; i++) {
      const { seat } = terra.status(opened.value);
      if (seat < 0) break;
      expect(terra.type(opened.value, seat, terra.random(opened.value, seat, i)!).ok).toBe(true);
      ours.push(terra.hash(opened.value, -1));
    }
    terra.close(opened.value);
    expect(ours).toEqual(native(setup));
    expect(ours.length).toBeGreaterThan(3);
  });

  test.each(thoughts)(
    'the same thoughts of %s in %j', { timeout: 120_000 }, (bot, setup, actions) => {
      const opened = terra.open(setup);
      if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
      const ours: unknown[] = [];
      for (let i = 0; i < actions; i++) {
        const { seat } = terra.status(opened.value);
        if (seat < 0) break;
        const search = terra.searchOpen(opened.value, -1, seat, bot, i);
        while (terra.searchRun(search, 100));
        const thought = terra.searchResult(search, 5);
        ours.push(thought);
        expect(terra.type(opened.value, seat, thought.best).ok).toBe(true);
        terra.searchClose(search);
      }
      terra.close(opened.value);
      expect(ours).toEqual(native('think', setup, bot, String(actions)).map((line) => JSON.parse(line) as unknown));
      expect(ours.length).toBeGreaterThanOrEqual(Math.min(actions, 10)); /* the smallest game is over soon */
    });
});
