// Measures the table of Terra Mystica: bytes until it stands, and what showing
// the scene after an action costs in the module and in the page.
// usage: node bench/mystica.mjs [--json] [--each] [--passes=5]; needs what bench/web.mjs needs.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aim, mine, scene, sitDown, tap, wanted } from '../web/tests/e2e/mystica.mjs';
import { launch, open, serve } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const PASSES = Number(process.argv.find((arg) => arg.startsWith('--passes='))?.slice(9) ?? 5);
const results = {};
const whole = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
const middle = `${whole.slice(0, whole.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;

const assets = `${root}web/dist/assets/`;
const wasm = readdirSync(assets).find((name) => name.endsWith('.wasm'));
const server = await serve();
const browser = await launch();

/* Script, style and layout: processor time of the page's main thread, from the
 * click that plays an action until the frame after it.  Turns as people take
 * them, from the first after the table was opened until some turns into the next
 * round; the first pass also counts what is fetched. */
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
  /* Pointing at the button, and watching, are no part of what is measured. */
  async function press(text, locator, before) {
    await page.evaluate((node) => {
      /* An action grows the log; a turn confirmed asks somebody again. */
      const shown = new Promise((resolve) => {
        const watch = new MutationObserver(() => { watch.disconnect(); resolve(); });
        watch.observe(document.querySelector('.log'), { childList: true, subtree: true });
        watch.observe(document.querySelector('.actionbar'), { attributeFilter: ['data-turn'] });
      });
      node.focus();
      globalThis.press = () => {
        node.click();
        return shown.then(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
      };
    }, await locator.elementHandle());
    /* Nor is what the page makes ready while somebody thinks. */
    for (let i = 0; i < 6; i++) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestIdleCallback(resolve)))));
    const begin = await spent();
    await session.send('Runtime.evaluate', { expression: 'press()', awaitPromise: true });
    times.push({ text, ms: (await spent()) - begin, round: (await scene(page)).round > before });
  }
  for (let later = 0; later < 8; ) {
    const now = await mine(page);
    if (!now) break;
    if (now.round > 4) later++;
    const action = wanted(now, seen);
    seen.add(action.kind);
    if (seen.size > 6) seen.clear();
    await press(action.text, await aim(page, now, action), now.round);
    const confirm = page.getByRole('button', { name: 'Confirm turn' });
    if (await confirm.isVisible()) await press('', confirm, (await scene(page)).round);
  }
  await page.context().close();
  return times;
}

/* The same actions in the module: typing each, and writing all that the page
 * asks for after it. */
function modulePass(texts) {
  const { exports: terra } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${assets}${wasm}`)), {});
  terra._initialize();
  const put = (text) => {
    const size = Buffer.byteLength(text);
    Buffer.from(terra.memory.buffer, terra.input(size + 2), size + 2).write(`${text}\0\0`);
    return size;
  };
  const get = (length) => JSON.parse(Buffer.from(terra.memory.buffer, terra.output(), length).toString());
  const match = terra.read(put(middle));
  const type = (seat, text) => { put(text); terra.type(match, seat); };
  return texts.map((text) => {
    const { seat, count } = get(terra.status(match));
    const begin = performance.now();
    if (text) type(seat, text);
    const next = get(terra.status(match)).seat;
    get(terra.log(match, count, next));
    get(terra.scene(match, -1, next));
    get(terra.effects(match, -1, next, next));
    return performance.now() - begin;
  });
}

const report = (what, list) => {
  const sorted = [...list].sort((a, b) => a - b);
  results[`${what}, ms, median`] = +median(sorted).toFixed(1);
  results[`${what}, 95 of 100, ms`] = +sorted[Math.floor(0.95 * sorted.length)].toFixed(1);
  results[`${what}, worst, ms`] = +sorted.at(-1).toFixed(1);
};

/* Each action by the least of all passes: whatever else runs on the machine only
 * adds.  At the end of a turn the next of five people at this screen is shown:
 * another faction board, and all that depends on who looks. */
try {
  const passes = [];
  for (let i = 0; i < PASSES; i++) passes.push(await pass(i === 0));
  results['module, bytes (brotli)'] = readFileSync(`${assets}${wasm}.br`).length;
  const steps = passes[0];
  const inModule = Array.from({ length: PASSES }, () => modulePass(steps.map(({ text }) => text)));
  const least = (lists) => steps.map((_, i) => Math.min(...lists.map((list) => list[i])));
  const module = least(inModule);
  const pages = passes.map((one) => one.map(({ ms }) => ms));
  const page = least(pages);
  const all = page.map((ms, i) => ms + module[i]);
  const those = (which) => all.filter((_, i) => which(steps[i], i));
  const turn = 1 + steps.findIndex(({ text }) => text === 'done');
  report('module: an action, its log, scene and effects', module);
  report('page: script, style and layout for it', page);
  report('both: every action', all);
  report('both: the screen handed on', those(({ text }) => text === 'done'));
  results['both: the first turn, worst, ms'] = +Math.max(...those((_, i) => i < turn)).toFixed(1);
  results['both: a change of round, ms'] = +Math.max(...those(({ round }) => round)).toFixed(1);
  report('both: single passes, every action by its median', steps.map((_, i) => median(pages.map((one) => one[i])) + median(inModule.map((one) => one[i]))));
  if (process.argv.includes('--each')) steps.forEach(({ text }, i) => console.log((text || 'confirm').padEnd(30), page[i].toFixed(1), module[i].toFixed(1), pages.map((one) => one[i].toFixed(1)).join(' ')));
} finally {
  await browser.close();
  await server.stop();
}

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [what, value] of Object.entries(results)) console.log(`${what.padEnd(76)} ${value}`);
