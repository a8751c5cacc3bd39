/* The client's side of playing together, as far as it needs no browser. */
import { describe, expect, test } from 'vitest';
import { LOST_MS, pause, QUIET_MS } from '../../src/lib/online/backoff';

describe('coming back', () => {
  test('nobody waits two seconds for a server that is there again', () => {
    for (let failed = 0; failed < 40; failed++) for (const chance of [0, 0.5, 1]) {
      expect(pause(failed, chance)).toBeLessThanOrEqual(1500);
      expect(pause(failed, chance)).toBeGreaterThanOrEqual(50);
    }
  });
  test('and not everybody comes at once', () => {
    expect(pause(5, 1)).toBeGreaterThan(pause(5, 0) * 1.5);
  });
  test('silence is asked about before it counts as loss', () => expect(LOST_MS).toBeGreaterThan(QUIET_MS + 4000));
});
