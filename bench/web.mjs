// Measures the browser client: what is loaded, how soon bots answer, and whether
// thinking ever blocks the page.  Starting and clicks: start.mjs and clicks.mjs.  usage: node bench/web.mjs [--json]
// Needs web/dist (web/build), build/terra (./play --build) and chromium.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, legal, open, serve, startGame } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const results = {};
const server = await serve();
const browser = await launch();

/* Bytes over the wire until a game stands on the table, with a cold cache. */
{
  const page = await open(browser, 'about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const types = new Map();
  const sizes = { script: 0, style: 0, wasm: 0, font: 0, other: 0 };
  session.on('Network.responseReceived', (e) => types.set(e.requestId, e.response));
  session.on('Network.loadingFinished', (e) => {
    const { mimeType = '', url = '' } = types.get(e.requestId) ?? {};
    const kind = /javascript/.test(mimeType) ? 'script' : /css/.test(mimeType) ? 'style' : /wasm/.test(mimeType) || url.endsWith('.wasm') ? 'wasm' : /font/.test(mimeType) ? 'font' : 'other';
    sizes[kind] += e.encodedDataLength;
  });
  await page.goto(server.url);
  await page.waitForTimeout(800);
  results['first page: script and style, bytes'] = sizes.script + sizes.style;
  await startGame(page, server.url);
  await page.waitForTimeout(300);
  results['until a game stands: script and style, bytes'] = sizes.script + sizes.style;
  results['fonts, bytes'] = sizes.font;
  results['pictures and page, bytes'] = sizes.other;
  await page.context().close();
}
const assets = `${root}web/dist/assets/`;
const wasm = readdirSync(assets).find((name) => name.endsWith('.wasm'));
results['module, bytes (brotli)'] = readFileSync(`${assets}${wasm}.br`).length;

/* A bot's answer, and the longest task of the page while it thinks. */
for (const level of ['club', 'expert']) {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { players: ['human', level] });
  const waits = [];
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration); }).observe({ type: 'longtask' });
  });
  for (let turn = 0; turn < 3; turn++) {
    for (let i = 0; i < 3; i++) {
      const before = await page.locator('.step.done').count();
      await page.locator('.typing select').selectOption((await legal(page))[0]);
      await page.waitForFunction((count) => document.querySelectorAll('.step.done').length > count || document.querySelector('.prompt b').textContent === 'End your turn?', before);
    }
    await page.evaluate(() => (window.longest = 0));
    const begin = performance.now();
    await page.getByRole('button', { name: 'Confirm turn' }).click();
    await page.waitForFunction(() => /^Move/.test(document.querySelector('.prompt b').textContent), null, { timeout: 120_000 });
    waits.push(performance.now() - begin);
  }
  results[`${level}: whole turn of three actions, ms, median`] = Math.round(median(waits));
  results[`${level}: longest task of the page meanwhile, ms`] = Math.round(await page.evaluate(() => window.longest));
  await page.context().close();
}
await browser.close();
await server.stop();

/* Any position of a match of 250 actions, in the module itself. */
{
  const bytes = readFileSync(`${assets}${wasm}`);
  const { exports: terra } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  terra._initialize();
  const put = (text) => Buffer.from(terra.memory.buffer, terra.input(Buffer.byteLength(text)), Buffer.byteLength(text)).write(text);
  const get = (length) => Buffer.from(terra.memory.buffer, terra.output(), length).toString();
  put('game: nova\nseats: 4\noption board: continent\nseed: 0000000000000001\n');
  const match = terra.open();
  for (let i = 0; i < 250; i++) {
    const { seat } = JSON.parse(get(terra.status(match)));
    if (seat < 0) break;
    put(JSON.parse(get(terra.random(match, seat, i))));
    terra.type(match, seat);
  }
  const { count } = JSON.parse(get(terra.status(match)));
  const times = Array.from({ length: count + 1 }, (_, at) => {
    const begin = performance.now();
    JSON.parse(get(terra.scene(match, at, -1)));
    return performance.now() - begin;
  }).slice(20);
  results[`position of a match of ${count} actions, ms, median`] = +median(times).toFixed(2);
  results[`position of a match of ${count} actions, ms, worst`] = +Math.max(...times).toFixed(2);
}

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [what, value] of Object.entries(results)) console.log(`${what.padEnd(58)} ${value}`);
