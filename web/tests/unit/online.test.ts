/* The client's side of playing together, as far as it needs no browser. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOST_MS, pause, QUIET_MS } from '../../src/lib/online/backoff';
import { deviceName } from '../../src/lib/online/device';

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

describe('devices', () => {
  test('call themselves by browser and system', () => {
    const agent = (rest: string): string => deviceName(`Mozilla/5.0 ${rest}`);
    expect(agent('(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
    expect(agent('(Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36')).toBe('Chrome, Android');
    expect(agent('(iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1')).toBe('Safari, iOS');
    expect(agent('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0')).toBe('Edge, Windows');
    expect(deviceName('curl/8')).toBe('');
  });
});

describe('a tapped notification', () => {
  /* The part of the service worker, with a worker of our own around it. */
  async function tap(pages: number): Promise<string[]> {
    const seen: string[] = [];
    let handler: (event: unknown) => void = () => {};
    const self = {
      addEventListener: (_: string, given: typeof handler) => (handler = given),
      clients: { matchAll: async () => Array.from({ length: pages }, () => ({ focus: async () => void seen.push('focus'), navigate: async (to: string) => void seen.push(to) })), openWindow: async (to: string) => void seen.push(`open ${to}`) },
    };
    new Function('self', readFileSync(new URL('../../public/turn.js', import.meta.url), 'utf8'))(self);
    let work: Promise<unknown> = Promise.resolve();
    handler({ notification: { data: '#/table/abc', close: () => seen.push('close') }, waitUntil: (given: Promise<unknown>) => (work = given) });
    await work;
    return seen;
  }
  test('leads to its table', async () => {
    expect(await tap(1)).toEqual(['close', 'focus', '/#/table/abc']);
    expect(await tap(0)).toEqual(['close', 'open /#/table/abc']);
  });
});
