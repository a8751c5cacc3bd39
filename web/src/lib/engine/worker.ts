/* The Web Worker that owns the rules. */
import wasm from '../../../wasm/terra.wasm?url';
import { EngineApi, type Reply, type Request } from './api';
import { TerraModule } from './module';

const ready = TerraModule.load(fetch(wasm)).then((terra) => new EngineApi(terra));

self.onmessage = async (event: MessageEvent<Request>) => {
  const { id, method, args } = event.data;
  let reply: Reply;
  try {
    const engine = await ready, handle = args[0];
    /* Whoever still asks about a match that was closed has left its page. */
    if (typeof handle === 'number' && !engine.has(handle)) return;
    const api = engine as unknown as Record<string, (...args: unknown[]) => unknown>;
    reply = { id, value: await api[method]!(...args) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
};
