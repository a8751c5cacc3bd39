/* The puzzles: which one a day has, and that the sets are what they say.  That
 * the solutions are best is shown by `terra puzzles --check`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dateOf, dateText, dayNumber, daysBefore, indexOf, levelOf, puzzleGames, reached, readSet, remember, streak, today } from '../../src/lib/puzzles/puzzles';
import { loadModule, ROOT } from './terra';

const terra = loadModule();

describe('days', () => {
  test('are those of the calendar', () => {
    expect(dayNumber('1970-01-02')).toBe(1);
    expect(dateOf(dayNumber('2028-02-29'))).toBe('2028-02-29');
    expect(daysBefore('2027-01-01', 1)).toBe('2026-12-31');
    for (const odd of ['2026-02-30', '2026-13-01', '2026-1-1', 'today', '', '2026-01-01x']) expect(dayNumber(odd)).toBeNaN();
    expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
    expect(dateText('2026-11-16', 'sv')).toBe('måndag 16 november 2026');
  });

  test('365 in a row meet every puzzle once, and neighbours are far apart', () => {
    const first = dayNumber('2026-11-16');
    const year = Array.from({ length: 365 }, (_, i) => indexOf(dateOf(first + i), 365));
    expect(new Set(year).size).toBe(365);
    expect(Math.min(...year) + Math.max(...year)).toBe(364);
    expect(year.slice(1).every((index, i) => Math.abs(index - year[i]!) > 100)).toBe(true);
    expect(indexOf('2027-11-16', 365)).toBe(indexOf('2026-11-16', 365));
  });
});

describe('what somebody has reached', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) });
  });

  test('keeps the better of two tries, and that the solution was seen', () => {
    remember('nova', '2026-11-16', { points: 5, solved: false });
    remember('nova', '2026-11-16', { points: 3, solved: false });
    expect(reached()['nova/2026-11-16']).toEqual({ points: 5, solved: false });
    remember('nova', '2026-11-16', { points: 0, solved: false, shown: true });
    remember('nova', '2026-11-16', { points: 9, solved: true });
    expect(reached()['nova/2026-11-16']).toEqual({ points: 9, solved: true, shown: true });
  });

  test('a damaged store is an empty one', () => {
    localStorage.setItem('terrarium.puzzles', '{"nova');
    expect(reached()).toEqual({});
  });

  test('days in a row end today or yesterday', () => {
    const by = { points: 9, solved: true };
    const all = { 'nova/2026-11-15': by, 'terrax/2026-11-14': by, 'mystica/2026-11-13': { ...by, shown: true }, 'nova/2026-11-12': by };
    expect(streak('2026-11-15', all)).toBe(2);
    expect(streak('2026-11-16', all)).toBe(2);
    expect(streak('2026-11-17', all)).toBe(0);
  });
});

describe.each(puzzleGames)('%s', (game) => {
  const set = readSet(readFileSync(join(ROOT, `web/public/puzzles/${game}.txt`), 'utf8'));

  test('365 different puzzles, easy and hard ones', () => {
    expect(set.length).toBe(365);
    expect(new Set(set.map((one) => one.start)).size).toBe(365);
    expect(new Set(set.map(levelOf)).size).toBeGreaterThan(1);
    for (const one of set) expect([one.best > one.next, one.best > one.quick, one.ways > 0, one.ends > one.ways, one.line.length > 1]).toEqual([true, true, true, true, true]);
  });

  test('solutions can be played and bring what they say', { timeout: 120_000 }, () => {
    const wrong = set.filter((_, i) => i % 5 === 0).filter((one) => {
      const opened = terra.read(one.start, game);
      if (!opened.ok) return true;
      const { seat } = terra.status(opened.value);
      const points = (): number => terra.scene(opened.value, -1, seat).seats[seat]!.points;
      const before = points();
      const played = terra.type(opened.value, seat, one.line.join('; '));
      const gained = points() - before;
      const ends = terra.snapshot(opened.value, seat, 0).log.length === one.line.length;
      terra.close(opened.value);
      return !played.ok || gained !== one.best || !ends;
    });
    expect(wrong).toEqual([]);
  });
});
