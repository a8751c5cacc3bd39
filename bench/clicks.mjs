// Measures how soon the table answers a click: from the press of the button to
// the frame in which the legal highlights stand (the browser's own event
// timing, which counts in steps of 8 ms), and the processor time the page spent
// on it (what an idle machine would need).  First clicks after loading count.
// usage: node bench/clicks.mjs [--json] [--rounds N]
// Needs web/dist (web/build), build/terra (./play --build) and chromium.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeTyping, hexAt, launch, legal, open, serve, startGame } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 3;
const rank = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
const record = readFileSync(`${root}tests/games/nova/026-island-3-en-greedy.nova`, 'utf8')
  .split('\n').filter((line) => !/^\[(Result|End)/.test(line)).slice(0, 47).join('\n');

const server = await serve();
const browser = await launch();

async function importRecord(page) {
  await page.goto(`${server.url}#/import`);
  await page.getByLabel('Record or position').fill(record);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('.scrub').waitFor();
  await page.goto(`${server.url}#/play/${page.url().split('/').pop()}`);
  await page.locator('[data-board]').waitFor();
}

/** Clicks (or taps) every own pioneer; gives a line for each. */
async function clicks(prepare, size) {
  const page = await open(browser, server.url, { size, settings: { coordinates: true } });
  await prepare(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    window.events = [];
    new PerformanceObserver((list) => {
      for (const { name, duration, processingEnd, startTime } of list.getEntries())
        if (/^pointer(down|up)|click$/.test(name)) window.events.push({ name, duration, handled: processingEnd - startTime });
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
    return { all: of.TaskDuration, script: of.ScriptDuration, style: of.RecalcStyleDuration, layout: of.LayoutDuration };
  };
  const rested = () => page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve, { timeout: 500 }), 200)));
  const own = [...new Set((await legal(page)).filter((text) => text.includes('-')).map((text) => text.split('-')[0]))];
  await closeTyping(page);
  const out = [];
  await rested();
  for (const hex of own) {
    const { x, y } = await hexAt(page, hex);
    /* Not what is off screen or under the map in the corner. */
    if (!(await page.evaluate(([x, y]) => !!document.elementFromPoint(x, y)?.closest('[data-board] svg.board'), [x, y]))) continue;
    await page.evaluate(() => (window.events = []));
    const before = await busy();
    if (size === 'phone') await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y);
    await rested();
    const after = await busy();
    const events = await page.evaluate(() => window.events);
    out.push({
      shown: Math.max(16, ...events.map((event) => event.duration)),
      busy: after.all - before.all, script: after.script - before.script, style: after.style - before.style, layout: after.layout - before.layout,
    });
  }
  await page.context().close();
  return out;
}

const scenes = {
  'opening of two, mouse': [(page) => startGame(page, server.url, { players: ['human', 'human'] }), 'desktop'],
  'game of three under way, mouse': [importRecord, 'desktop'],
  'game of three under way, touch': [importRecord, 'phone'],
};
const results = {};
for (const [name, [prepare, size]] of Object.entries(scenes)) {
  const all = [];
  const first = [];
  for (let round = 0; round < rounds; round++) {
    const lines = await clicks(prepare, size);
    first.push(lines[0]);
    all.push(...lines);
  }
  const sum = (list, key) => ({ p50: +rank(list.map((l) => l[key]), 0.5).toFixed(1), p95: +rank(list.map((l) => l[key]), 0.95).toFixed(1), max: +Math.max(...list.map((l) => l[key])).toFixed(1) });
  results[name] = { clicks: all.length, shown_ms: sum(all, 'shown'), processor_ms: sum(all, 'busy'), script_ms: sum(all, 'script'), style_ms: sum(all, 'style'), layout_ms: sum(all, 'layout'), first_shown_ms: sum(first, 'shown'), first_processor_ms: sum(first, 'busy') };
}
await browser.close();
await server.stop();
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [name, { clicks: count, ...rows }] of Object.entries(results)) {
  console.log(`${name} (${count} clicks)`);
  for (const [what, { p50, p95, max }] of Object.entries(rows)) console.log(`  ${what.padEnd(20)} p50 ${String(p50).padStart(6)}  p95 ${String(p95).padStart(6)}  max ${String(max).padStart(6)}`);
}
