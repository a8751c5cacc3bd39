/* The page's end of the worker: every method of EngineApi, as a promise. */
import type { EngineApi, Method, Reply } from './api';
import type { GameInfo } from './types';

export type Engine = {
  [K in Method]: (...args: Parameters<EngineApi[K]>) => Promise<Awaited<ReturnType<EngineApi[K]>>>;
};

type Waiting = { resolve: (value: unknown) => void; reject: (reason: Error) => void };

export function startEngine(worker: Worker): Engine {
  const waiting = new Map<number, Waiting>();
  let next = 1;
  worker.onmessage = (event: MessageEvent<Reply>) => {
    const reply = event.data;
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (!waiter) return;
    if ('error' in reply) waiter.reject(new Error(reply.error));
    else waiter.resolve(reply.value);
  };
  worker.onerror = (event) => {
    for (const waiter of waiting.values()) waiter.reject(new Error(event.message));
    waiting.clear();
  };
  return new Proxy({} as Engine, {
    get: (_target, method: string) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const id = next++;
          waiting.set(id, { resolve, reject });
          worker.postMessage({ id, method, args });
        }),
  });
}

/* Must stay one literal expression: the bundler looks for it. */
export const engine = startEngine(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'rules' }),
);

let list: Promise<GameInfo[]> | null = null;
export const games = (): Promise<GameInfo[]> => (list ??= engine.games());
export async function gameInfo(name: string): Promise<GameInfo> {
  const found = (await games()).find((game) => game.name === name);
  if (!found) throw new Error(`unknown game '${name}'`);
  return found;
}
