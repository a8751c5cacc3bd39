import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineApi } from '../../src/lib/engine/api';
import type { NovaScene } from '../../src/games/nova/scene';
import type { TerraxScene } from '../../src/games/terrax/scene';
import { compiled, loadModule, ROOT } from './terra';

const terra = loadModule();
const islet = 'game: nova\nseats: 2\noption board: islet\noption setup: random\nseed: 0000000000000005\n';
const open = (setup = islet): number => {
  const opened = terra.open(setup);
  if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
  return opened.value;
};

test('the module asks for nothing', () => {
  expect(WebAssembly.Module.imports(compiled)).toEqual([]);
});

describe('a match', () => {
  test('plays, undoes and redoes by notation', () => {
    const match = open();
    const scene = terra.scene(match, -1, -1) as NovaScene;
    expect(terra.type(match, scene.seat, scene.actions[0]!.text).ok).toBe(true);
    expect(terra.status(match).count).toBe(1);
    expect(terra.undo(match, false)).toBe(true);
    expect(terra.redo(match)).toBe(true);
    expect(terra.log(match, 0, -1)[0]!.text).toBe(scene.actions[0]!.text);
    terra.close(match);
  });

  test('effects stand beside the actions they belong to', () => {
    const match = open();
    const scene = terra.scene(match, -1, -1) as NovaScene;
    const effects = terra.effects(match, -1, scene.seat, -1) as { text: string }[];
    expect(effects.map((effect) => effect.text)).toEqual(scene.actions.map((action) => action.text));
    terra.close(match);
  });

  test('keeps notes and writes what it can read again', () => {
    const match = open();
    expect(terra.setNote(match, 'Seat1', 'Zoë “Z” 木')).toBe(true);
    const text = terra.write(match, 0, -1, -2)!;
    const again = terra.read(text);
    expect(again.ok).toBe(true);
    if (again.ok) {
      expect(terra.note(again.value, 'Seat1')).toBe('Zoë “Z” 木');
      expect(terra.hash(again.value, -1)).toBe(terra.hash(match, -1));
      terra.close(again.value);
    }
    terra.close(match);
  });

  test('every recorded game survives reading and writing', () => {
    const folder = join(ROOT, 'tests/games/nova');
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.nova'))) {
      const text = readFileSync(join(folder, name), 'utf8');
      const read = terra.read(text);
      if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.fault)}`);
      expect(terra.write(read.value, 0, -1, -2)).toBe(text);
      terra.close(read.value);
    }
  });
});

describe('maps of one\'s own', () => {
  const lines = (name: string): string[] => readFileSync(join(ROOT, 'tests/games/terrax/maps', `${name}.map`), 'utf8').trimEnd().split('\n');
  const setup = (map: string[]): string => `game: terrax\nseats: 2\nmap:\n${map.map((line) => `\t${line}\n`).join('')}`;

  test.each(['full', 'tree'])('%s is played, and travels inside the match', (name) => {
    const match = open(setup(lines(name)));
    for (let i = 0; i < 40; i++) expect(terra.random(match, terra.status(match).seat, i)).not.toBeNull();
    for (const viewer of [-2, 0, -1]) {
      const text = terra.write(match, 0, -1, viewer)!;
      const again = terra.read(text);
      if (!again.ok) throw new Error(JSON.stringify(again.fault));
      expect((terra.scene(again.value, -1, 0) as TerraxScene).map).toMatchObject({ name, own: true });
      expect(terra.write(again.value, 0, -1, viewer)).toBe(text);
      terra.close(again.value);
    }
    terra.close(match);
  });

  test('one place or leg too many is refused by its line', () => {
    const full = lines('full');
    const station = full[130]!.replace('e3\tedge', 'rX1\tred').replace('\tw3\t', '\t-\t');
    for (const [map, where] of [[[...full.slice(0, 131), station, ...full.slice(131)], 'places.tsv line 130: rX1'], [[...full, 'X1\tgSAA\tQBC\t-'], 'legs.tsv line 257: X1']] as const) {
      const opened = terra.open(setup([...map]));
      expect(opened).toMatchObject({ ok: false, fault: { name: 'map-limit', subject: where } });
    }
  });
});

describe('hostile input', () => {
  const junk = fc.oneof(fc.string({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fc.constantFrom('[Game "nova"]', '[Format "1"]', '[Board "islet"]', '[Seats "yr"]', '\n', 'P +a3', '1y a3-b4', '*c9', '--', '\0', '\t', 'seed: 0', 'board:'), { maxLength: 30 }).map((parts) => parts.join('\n')));

  test('no text crashes the reader, and a refusal always says why', () => {
    fc.assert(fc.property(junk, (text) => {
      const read = terra.read(text);
      if (read.ok) terra.close(read.value);
      else expect(read.fault.name.length).toBeGreaterThan(0);
    }), { numRuns: 400 });
  });

  test('no typed line crashes a match or changes it when refused', () => {
    const match = open();
    const before = terra.hash(match, -1);
    fc.assert(fc.property(fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('a1-a1', '*a1', '+a1', '--', 'a1-z99 *b2', 'c5-c6 c6-c5 c5-c6 c6-c5 --')), (line) => {
      const typed = terra.type(match, 0, line);
      if (typed.ok) while (terra.status(match).count > 0) terra.undo(match, true);
      expect(terra.hash(match, -1)).toBe(before);
    }), { numRuns: 300 });
    terra.close(match);
  });

  test('setups with unknown games, options and values are refused by name', () => {
    for (const [setup, name] of [['game: chess\n', 'text.format'], ['game: nova\nseats: 9\n', 'setup.seats'], ['game: nova\noption colour: red\n', 'setup.option'], ['game: nova\noption board: atlantis\n', 'setup.value']]) {
      const opened = terra.open(setup!);
      expect(opened.ok ? 'opened' : opened.fault.name).toBe(name);
    }
  });
});

test('any position of a long match can be shown', () => {
  const match = open('game: nova\nseats: 2\nseed: 0000000000000001\n');
  for (let i = 0; i < 250 && !terra.status(match).over; i++) {
    const { seat } = terra.status(match);
    terra.type(match, seat, terra.random(match, seat, i)!);
  }
  const { count } = terra.status(match);
  for (let at = 0; at <= count; at++) expect((terra.scene(match, at, -1) as NovaScene).game).toBe('nova');
  terra.close(match);
});

test('bots choose legal actions, the same ones for the same seed', async () => {
  const api = new EngineApi(terra);
  for (const game of api.games()) {
    const opened = api.open(`game: ${game.name}\nseats: ${game.seatsUsual}\nseed: 0000000000000003\n`);
    if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
    for (const level of game.levels) {
      const { status } = api.snapshot(opened.value, -1, 0);
      const text = await api.think(opened.value, status.seat, level, 7);
      expect(await api.think(opened.value, status.seat, level, 7)).toBe(text);
      expect(api.explain(opened.value, status.seat, [text!])).toEqual([null]);
    }
    api.close(opened.value);
  }
});

test('hints are what the strongest bot thinks, and every game has estimates', async () => {
  const api = new EngineApi(terra);
  for (const game of api.games()) {
    const opened = api.open(`game: ${game.name}\nseats: ${game.seatsUsual}\nseed: 0000000000000003\n`);
    if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
    const { seat } = api.status(opened.value);
    const hint = await api.analyse(opened.value, -1, seat, 3);
    expect(hint!.best, game.name).toBe(await api.think(opened.value, seat, 'master', 0));
    expect((await api.estimates(opened.value, 0))!.map((points) => points.length)).toEqual([game.seatsUsual]);
    api.close(opened.value);
  }
});

test('a rehearsal tells what would be seen after an action, on a copy', () => {
  const api = new EngineApi(terra);
  const match = open();
  const record = terra.write(match, 0, -1, -2)!;
  const { actions } = api.scene(match, -1, terra.status(match).seat);
  const found = api.rehearsal(record, 'nova', actions[0]!.text)!;
  expect(found.status.count).toBe(1);
  expect(found.log.map((step) => step.text)).toEqual([actions[0]!.text]);
  expect(terra.status(match)).toMatchObject({ count: 0, total: 0 });
  expect(api.rehearsal(record, 'nova', 'a1-a1')).toBeNull();
  expect(api.rehearsal('no record', 'nova', actions[0]!.text)).toBeNull();
  const next = open();
  expect(next).toBe(match + 1); /* nothing was left open */
  api.close(next);
  api.close(match);
});

test('one question plays an action and brings all that is shown after it', () => {
  const api = new EngineApi(terra);
  const match = open();
  const { seat } = api.status(match);
  const turn = (people: number[], from: number, line?: string) => {
    const answer = api.turn(match, people, from, line);
    if ('fault' in answer) throw new Error(answer.fault.phrase);
    return answer;
  };
  const { count } = api.status(match);
  expect(api.turn(match, [0, 1], 0, 'nonsense')).toHaveProperty('fault.name');
  expect(api.status(match).count).toBe(count);
  const all = turn([0, 1], 0, api.scene(match, -1, seat).actions[0]!.text);
  const next = api.status(match).seat;
  expect(api.status(match).count).toBe(count + 1);
  expect({ status: all.status, scene: all.scene, log: all.log }).toEqual(api.snapshot(match, next, 0));
  expect([all.viewer, all.text]).toEqual([next, api.write(match, 0, -1, -2)]);
  const watched = turn([1 - next], 1);
  expect([watched.viewer, watched.log]).toEqual([1 - next, []]);
  expect(turn([], 0).viewer).toBe(-1);
  api.close(match);
});
