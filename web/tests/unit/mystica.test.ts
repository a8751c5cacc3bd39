/* Terra Mystica for the browser: what scenes offer is legal and does what it says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MysticaScene, Player } from '../../src/games/mystica/scene';
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
