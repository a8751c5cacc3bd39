// Measures the table of Terra Mystica: bytes until it stands, and what showing
// the scene after an action costs in the module and in the page.
// usage: node bench/mystica.mjs [--json]; needs what bench/web.mjs needs.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aim, mine, sitDown, tap, wanted } from '../web/tests/e2e/mystica.mjs';
import { launch, open, serve } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const PASSES = 5;
const results = {};
const whole = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
const middle = `${whole.slice(0, whole.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;

/* Typing an action and writing all that the page asks for after it. */
const assets = `${root}web/dist/assets/`;
const wasm = readdirSync(assets).find((name) => name.endsWith('.wasm'));
{
  const { exports: terra } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${assets}${wasm}`)), {});
  terra._initialize();
  const put = (text) => {
    const size = Buffer.byteLength(text);
    Buffer.from(terra.memory.buffer, terra.input(size + 2), size + 2).write(`${text}\0\0`);
    return size;
  };
  const get = (length) => JSON.parse(Buffer.from(terra.memory.buffer, terra.output(), length).toString());
  const match = terra.read(put(middle));
  const times = [];
  for (let i = 0; i < 150; i++) {
    const { seat, count } = get(terra.status(match));
    if (seat < 0) break;
    const text = get(terra.random(match, seat, i));
    const begin = performance.now();
    put(text);
    terra.type(match, seat);
    const next = get(terra.status(match)).seat;
    get(terra.log(match, count, next));
    get(terra.scene(match, -1, next));
    get(terra.effects(match, -1, next, next));
    times.push(performance.now() - begin);
  }
  results['module: an action, its log, scene and effects, ms, median'] = +median(times).toFixed(2);
  results['module: likewise, 95 of 100, ms'] = +[...times].sort((a, b) => a - b)[Math.floor(0.95 * times.length)].toFixed(2);
  results['module: likewise, worst after the tenth, ms'] = +Math.max(...times.slice(10)).toFixed(2);
}

const server = await serve();
const browser = await launch();

/* Script, style and layout: processor time of the page's main thread.  Turns as
 * people take them, timed from the click that plays an action until the frame
 * after it; the first pass also counts what is fetched. */
async function pass(first) {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  const kinds = new Map();
  session.on('Network.responseReceived', (e) => kinds.set(e.requestId, e.response.mimeType));
  session.on('Network.loadingFinished', (e) => { if (/javascript|css/.test(kinds.get(e.requestId) ?? '')) bytes += e.encodedDataLength; });
  await sitDown(page, server.url, middle);
  await mine(page);
  if (first) results['until the table stands, import and replay included: script and style, bytes'] = bytes;
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return 1000 * (of('ScriptDuration') + of('RecalcStyleDuration') + of('LayoutDuration'));
  };
  const times = [];
  const seen = new Set();
  for (let i = 0; i < 40; i++) {
    const now = await mine(page);
    if (!now) break;
    const action = wanted(now, seen);
    seen.add(action.kind);
    if (seen.size > 6) seen.clear();
    const button = await (await aim(page, now, action)).elementHandle();
    const begin = await spent();
    await page.evaluate(async (node) => {
      const log = document.querySelector('.log');
      const grown = new Promise((resolve) => { new MutationObserver((_, watch) => { watch.disconnect(); resolve(); }).observe(log, { childList: true, subtree: true }); });
      node.focus();
      node.click();
      await grown;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    }, button);
    times.push({ text: action.text, ms: (await spent()) - begin });
  }
  await page.context().close();
  return times;
}

/* The same turns several times, each action by its least: whatever else runs on
 * the machine only adds.  At the end of a turn the next of five people at this
 * screen is shown: another faction board, and all that depends on who looks. */
{
  const passes = [];
  for (let i = 0; i < PASSES; i++) passes.push(await pass(i === 0));
  results['module, bytes (brotli)'] = readFileSync(`${assets}${wasm}.br`).length;
  const times = passes[0].map(({ text }, i) => ({ text, ms: Math.min(...passes.map((one) => one[i].ms)) }));
  const report = (what, list) => {
    const sorted = list.map(({ ms }) => ms).sort((a, b) => a - b);
    results[`page: ${what}, script, style and layout, ms, median`] = +median(sorted).toFixed(1);
    results[`page: ${what}, 95 of 100, ms`] = +sorted[Math.floor(0.95 * sorted.length)].toFixed(1);
    results[`page: ${what}, worst, ms`] = +sorted.at(-1).toFixed(1);
  };
  /* Script of the first turn is not compiled yet. */
  const turn = 1 + times.findIndex(({ text }) => text === 'done');
  report('an action', times.slice(turn).filter(({ text }) => text !== 'done'));
  report('the screen handed on', times.slice(turn).filter(({ text }) => text === 'done'));
  results['page: the first turn, script not yet compiled, worst'] = +Math.max(...times.slice(0, turn).map(({ ms }) => ms)).toFixed(1);
  results['page: all passes, an action or end of turn, median'] = +median(passes.flatMap((one) => one.slice(turn).map(({ ms }) => ms))).toFixed(1);
}
await browser.close();
await server.stop();

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [what, value] of Object.entries(results)) console.log(`${what.padEnd(76)} ${value}`);
