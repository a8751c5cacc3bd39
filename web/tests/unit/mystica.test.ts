/* Terra Mystica for the browser: what scenes offer is legal and does what it says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOf, type Moment, type Values } from '../../src/games/mystica/ledger';
import { answer } from '../../src/games/mystica/policy';
import { offerOf, type MysticaScene, type MysticaStep, type Player } from '../../src/games/mystica/scene';
import { kindOf, marksOf, tileIds } from '../../src/games/mystica/tiles';
import { topicOf, topics } from '../../src/games/mystica/topics';
import { twoBuilds, twoOffers } from '../e2e/mystica-cases.mjs';
import { loadModule, ROOT } from './terra';

const terra = loadModule();
const folder = join(ROOT, 'tests/games/mystica');
const ledgers = readdirSync(folder).filter((name) => name.endsWith('.tsv'));

const read = (name: string): number => {
  const opened = terra.read(readFileSync(join(folder, name), 'utf8'));
  if (!opened.ok) throw new Error(`${name}: ${JSON.stringify(opened.fault)}`);
  return opened.value;
};

describe('plans', () => {
  test.each(ledgers)('of %s are legal and tell what they change', (name) => {
    const match = read(name);
    let tried = 0;
    while (terra.undo(match, true)) {
      const { count, seat } = terra.status(match);
      if (count % 5 || seat < 0) continue;
      const scene = terra.scene(match, -1, seat) as MysticaScene;
      for (const plan of scene.plans.filter((_, i) => i % 4 === 0)) {
        const typed = terra.type(match, seat, plan.text);
        expect(typed, `${name} after ${count}: ${plan.text}`).toEqual({ ok: true, value: null });
        const before = scene.seats[seat] as Player;
        const after = (terra.scene(match, terra.status(match).count, seat) as MysticaScene).seats[seat] as Player;
        const change = plan.effect.seat_change!;
        expect([after.C - before.C, after.W - before.W, after.P - before.P, after.bowls], plan.text).toEqual([change.C ?? 0, change.W ?? 0, change.P ?? 0, change.bowls]);
        while (terra.status(match).count > count) terra.undo(match, true);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(20);
    terra.close(match);
  });
});

describe('tiles', () => {
  test('have a drawing each, unlike all others of their kind', () => {
    const drawn = new Map<string, string[]>();
    for (const id of tileIds) drawn.set(kindOf(id), [...(drawn.get(kindOf(id)) ?? []), JSON.stringify(marksOf(id))]);
    expect([...drawn].map(([kind, list]) => [kind, new Set(list).size])).toEqual([['card', 10], ['town', 8], ['favour', 12], ['land', 20]]);
  });
  test('are put together from glyphs that there are', () => {
    const glyphs = readFileSync(join(ROOT, 'web/art/glyphs.svg'), 'utf8');
    const used = new Set(tileIds.flatMap((id) => marksOf(id).map(({ glyph }) => glyph)));
    expect([...used].filter((glyph) => glyph !== 'cults' && !glyphs.includes(`id="g-${glyph}"`))).toEqual([]);
  });
});

/* What the tables of the rules (mystica-tables §6) say of each faction in numbers:
 * what it can do from the start, then with the stronghold. */
const numbers: Record<string, [number[], number[]]> = {
  alchemists: [[1, 1, 2, 1, 2, 1], [12, 2]], auren: [[], [1, 2]], chaosmagicians: [[1, 2], [2]], cultists: [[1, 1], [7]], darklings: [[1, 2], [3]],
  dwarves: [[1, 2, 4], [1]], engineers: [[2], [3]], fakirs: [[1, 1, 4], [1]], giants: [[2], [2]], halflings: [[1, 1], [3]], mermaids: [[1, 5, 1], []],
  nomads: [[3], []], swarmlings: [[3], []], witches: [[5], []], icemaidens: [[1], [3]], yetis: [[1, 4], []], acolytes: [[3, 4, 1, 1], [1]],
  dragonlords: [[1, 2, 1, 1], []], riverwalkers: [[1, 2], [2]], shapeshifters: [[1, 1, 1], [5, 5]],
};

test.each([['en', 'Stronghold:'], ['nl', 'Vesting:'], ['sv', 'Fästning:'], ['de', 'Festung:']])('the numbers of every faction are told in %s', (locale, stronghold) => {
  const messages = JSON.parse(readFileSync(join(ROOT, `web/messages/${locale}.json`), 'utf8')) as Record<string, string>;
  const told = Object.keys(numbers).map((id) => [id, ...messages[`mt_a_${id}`]!.split(stronghold).map((part) => (part.match(/\d+/g) ?? []).map(Number).sort())]);
  expect(told).toEqual(Object.entries(numbers).map(([id, parts]) => [id, ...parts.map((list) => [...list].sort())]));
  expect(Object.keys(numbers)).toHaveLength(20);
});

/* Seat 1 builds beside seat 2, who is offered 2 power for 1 point. */
const beside = `game: mystica
seats: 2
start:
	round 3 actions active 1
	score SCORE2 SCORE3 SCORE4 SCORE5 SCORE6 SCORE7
	cards BON1 BON2 BON3 BON5 BON7
	seat 1 auren green green vp 31 C 20 W 20 P 1 bowls 4/4/2 cults 3/2/0/1 card BON5 has FAV7+FAV9
	build 1 D F4 D1
	build 1 TP E7
	build 1 TE E6
	seat 2 giants vp 22 C 0 W 0 P 0 bowls 5/1/6 cults 1/2/0/0
	build 2 TP D4
	build 2 D I5
`;

test('offers are answered as the rule says, by their price', () => {
  const opened = terra.read(beside);
  if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
  expect(terra.type(opened.value, 0, 'upgrade E6 to SA. +FAV10. done')).toEqual({ ok: true, value: null });
  const scene = terra.scene(opened.value, -1, 1) as MysticaScene;
  expect(scene.offers).toMatchObject([{ to: 1, gain: 2, price: 1 }]);
  const answers = Object.fromEntries(['ask', '', 'always', 'never', '0', '1', '2'].map((rule) => [rule, answer(scene, rule)?.split(' ')[0] ?? null]));
  expect(answers).toEqual({ ask: null, '': null, always: 'leech', never: 'decline', 0: 'decline', 1: 'leech', 2: 'leech' });
  terra.close(opened.value);
});

/** What the second seat answers by a rule, until it is asked nothing more. */
function answersTo(position: string, rule: string): string[] {
  const opened = terra.read(position);
  if (!opened.ok) throw new Error(JSON.stringify(opened.fault));
  for (const deed of twoBuilds) expect(terra.type(opened.value, 0, deed), deed).toEqual({ ok: true, value: null });
  const given: string[] = [];
  const next = (): string | null => answer(terra.scene(opened.value, -1, 1) as MysticaScene, rule);
  for (let text = next(); text !== null; text = next()) {
    expect(terra.type(opened.value, 1, text), text).toEqual({ ok: true, value: null });
    given.push(text);
  }
  terra.close(opened.value);
  return given;
}

test('of several offers each is answered by its own price, while there is room', () => {
  const [one, two] = [' 1 from chaosmagicians', ' 2 from chaosmagicians'];
  expect(answersTo(twoOffers, 'ask')).toEqual([]);
  expect(answersTo(twoOffers, 'never')).toEqual([`decline${one}`, `decline${two}`]);
  expect(answersTo(twoOffers, '0')).toEqual([`leech${one}`, `decline${two}`]);
  expect(answersTo(twoOffers, 'always')).toEqual([`leech${one}`, `leech${two}`]);
  expect(answersTo(twoOffers.replace('bowls 6/4/2', 'bowls 0/1/11'), 'always')).toEqual([`leech${one}`]);
});

test('an answer is to the offer it names', () => {
  const offer = { to: 1, amount: 1, gain: 0, price: 0, coin: false };
  const scene = {
    report: 1, seats: [{ faction: 'witches' }, {}, { faction: 'auren' }],
    offers: [{ ...offer, from: 0 }, { ...offer, from: 2, amount: 3, gain: 3, price: 2 }],
    actions: [{ kind: 'decline', text: 'decline 1 from witches' }, { kind: 'leech', text: 'leech 3 from auren' }, { kind: 'decline', text: 'decline 3 from auren' }],
  } as unknown as MysticaScene;
  expect(answer(scene, 'always')).toBe('decline 1 from witches');
  expect(offerOf(scene, { text: 'leech 3 from auren' })?.price).toBe(2);
});

test.each(ledgers)('the rule beside the board is about what is asked, all through %s', (name) => {
  const match = read(name);
  const told = new Set<string>();
  const log = terra.log(match, 0, -1);
  for (let at = 0; at <= log.length; at++) {
    const scene = terra.scene(match, at, log[at]?.seat ?? -1) as MysticaScene;
    const topic = topicOf(scene);
    expect(topics, `after ${at}`).toHaveProperty(topic);
    const asks = (kind: string): boolean => scene.actions.some((action) => action.kind === kind);
    if (scene.phase === 'over') expect(topic).toBe('scoring');
    else if (scene.phase === 'actions' && asks('leech')) expect(topic).toBe('offer');
    else if (scene.phase === 'actions' && asks('favour')) expect(topic).toBe('favour');
    told.add(topic);
  }
  for (const topic of ['dwell', 'cards', 'action', 'offer', 'favour', 'end', 'scoring']) expect(told).toContain(topic);
  terra.close(match);
});

/** What the rows of a ledger say of each faction, in order: "20 VP 15 C 3 W 0 P 5/7/0 0/1/0/1". */
function told(name: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
    const field = line.split('\t');
    /* Cult bonus and income come together, as does all of the final scoring. */
    if (field.length < 15 || /^cult_income|^\+\d+vp for/.test(field.at(-1)!)) continue;
    const [faction, , VP, , C, , W, , P, , PW, , cults] = field as [string, ...string[]];
    all.set(faction, [...(all.get(faction) ?? []), [VP, C, W, P, PW!.replace(' PW', ''), cults].join(' ')]);
  }
  return all;
}

test.each(ledgers)('the rows of %s are those of its ledger', (name) => {
  const match = read(name);
  const log = terra.log(match, 0, -1) as MysticaStep[];
  const course = log.map((_, at) => terra.scene(match, at, -1)).concat(terra.scene(match, log.length, -1)) as unknown as Moment[];
  const rows = rowsOf(log, course);
  expect(rows.length).toBeGreaterThan(150);
  const last = course.at(-1)!;
  const stand = ({ VP, C, W, P, bowls, cults }: Values): string => `${VP} VP ${C} C ${W} W ${P} P ${bowls.join('/')} ${cults.join('/')}`;
  for (const [faction, lines] of told(name)) {
    const seat = last.seats.findIndex((one) => one.faction === faction);
    const mine = rows.filter((row) => row.seat === seat);
    /* Each of the ledger's moments, in its order; ours may tell several of its rows as one. */
    let at = 0;
    const missing = lines.filter((line) => {
      const found = mine.findIndex((row, i) => i >= at && stand(row.now) === line);
      if (found >= 0) at = found;
      return found < 0;
    });
    expect(missing, `${faction} of ${lines.length}`).toEqual([]);
    expect(stand(mine.at(-1)!.now)).toBe(lines.at(-1));
    /* Every change leads from what was to what is. */
    let points = 0;
    for (const { now, change, why } of mine.filter((row) => row.count > 0)) {
      if (why !== 'turn') expect(now.VP, `${faction}: ${why}`).toBe(points + change.VP);
      points = now.VP;
    }
  }
  terra.close(match);
});
