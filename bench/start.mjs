// Measures how soon somebody plays.  With a cold cache, from the navigation on:
// first paint; a click on the start page answered; the new-game page ready with
// its board drawn by the rules; two clicks to a table that answers a third.
// With --play, from the command ./play on: address printed, first action played
// and answered by the bot.
// usage: node bench/start.mjs [--json] [--rounds N] [--play]
// Needs web/dist (web/build), build/terra (./play --build) and chromium.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort, launch, serve } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 5;
const results = {};
const note = (what, list) => {
  const sorted = [...list].sort((a, b) => a - b);
  results[what] = { median: Math.round(sorted[Math.floor(sorted.length / 2)]), worst: Math.round(sorted.at(-1)) };
};

/* In the page: does what is asked as soon as it can be done, frame by frame,
 * and writes down when.  A mark is set in the frame after the one that shows. */
const robot = (plan) => {
  const times = (window.times = {});
  const next = (step) => requestAnimationFrame(() => {
    if (!plan[step]) return;
    const [name, selector, act] = plan[step];
    const node = [...document.querySelectorAll(selector)].find((n) => n.getClientRects().length && !n.disabled);
    if (!node) return next(step);
    if (name) times[name] = performance.now();
    if (act === 'click') node.click();
    next(step + 1);
  });
  next(0);
};

async function run(browser, address, plan, last) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(robot, plan);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction((name) => window.times?.[name], last, { timeout: 60_000 });
  const times = await page.evaluate(() => ({ ...window.times, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 }));
  await context.close();
  return times;
}

const server = await serve();
const browser = await launch();
const start = [];
const fresh = [];
for (let i = 0; i < rounds; i++) {
  start.push(await run(browser, server.url, [
    ['mounted', 'a[href="#/new"]', 'click'], ['answered', '#option-setup, .boards, .sum'], ['board', '.sum svg.board'],
    ['', 'button.btn.primary', 'click'], ['table', '[data-board] svg .ground'],
  ], 'table'));
  fresh.push(await run(browser, `${server.url}#/new`, [['ready', '.sum svg.board'], ['', 'button.btn.primary', 'click'], ['table', '[data-board] svg .ground']], 'table'));
}
note('start page: first paint, ms', start.map((t) => t.paint));
note('start page: can be clicked, ms', start.map((t) => t.mounted));
note('start page: first click answered by the next page, ms', start.map((t) => t.answered));
note('start page: new game ready, board drawn by the rules, ms', start.map((t) => t.board));
note('start page: two clicks, game on the table, ms', start.map((t) => t.table));
note('new-game page: ready, board drawn by the rules, ms', fresh.map((t) => t.ready));
note('new-game page: one click, game on the table, ms', fresh.map((t) => t.table));
await server.stop();

if (process.argv.includes('--play')) {
  const begin = performance.now();
  const port = await freePort();
  const child = spawn(`${root}play`, ['--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => { child.stdout.once('data', resolve); child.once('exit', (code) => reject(new Error(`./play ended with ${code}`))); });
  note('./play prints the address, ms', [performance.now() - begin]);
  const page = await browser.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.locator('a[href="#/new/nova"]').first().click();
  await page.locator('button:visible', { hasText: 'Start the game' }).click();
  await page.locator('[data-board]').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.log .acts button').length >= 2, null, { timeout: 60_000 });
  note('./play, two clicks, first action played and answered, ms', [performance.now() - begin]);
  child.kill('SIGTERM');
}
await browser.close();
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [what, { median, worst }] of Object.entries(results)) console.log(`${what.padEnd(62)} ${String(median).padStart(6)}  worst ${worst}`);
