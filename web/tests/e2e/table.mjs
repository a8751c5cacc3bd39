// What the end-to-end tests share: a server, browsers, and hands on a board.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const artefacts = fileURLToPath(new URL('../artefacts/', import.meta.url));
const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
mkdirSync(artefacts, { recursive: true });

export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** `terra serve` on a port of its own; stop() ends it and gives its status. */
export async function serve() {
  const build = process.env.TERRA_BUILD ?? `${root}build`;
  const port = await freePort();
  const child = spawn(`${build}/terra`, ['serve', '--port', String(port), '--root', `${root}web/dist`, '--no-data', '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`terra serve ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  return { url: `http://localhost:${port}/`, stop: () => { child.kill('SIGTERM'); return ended; } };
}

export async function launch() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) throw new Error('no chromium: run tools/setup browser');
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

export const sizes = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 844 } };

/** The screens that whole pages are looked at on: every size and theme in a long
 *  check, each of them once in any other. */
export const screens = process.env.TERRA_TEST === 'long'
  ? Object.keys(sizes).flatMap((size) => [[size, 'light'], [size, 'dark']])
  : [['desktop', 'light'], ['phone', 'dark']];

/* The page draws the same every time, so a game goes as it went before.  The
 * worker, which deals where cards are hidden, has chance of its own: it is given
 * the seed. */
function sameChance(byte) {
  crypto.getRandomValues = (bytes) => bytes.fill(byte);
  Math.random = () => byte / 256;
  const { postMessage } = Worker.prototype;
  const seeded = (setup) => (/^seed:/m.test(setup) ? setup : setup.replace(/^(?:(?:game|seats|option [^:]*):.*\n)+/, `$&seed: ${byte.toString(16).padStart(16, '0')}\n`));
  Worker.prototype.postMessage = function (message, ...more) {
    postMessage.call(this, message.method === 'open' ? { ...message, args: message.args.map(seeded) } : message, ...more);
  };
}

/** A page whose errors fail the test that opened it; `chance: 0` leaves it its own. */
export async function open(browser, url, { size = 'desktop', theme = 'light', locale = 'en-GB', offline = false, motion = 'reduce', settings = {}, chance = 1 } = {}) {
  const context = await browser.newContext({
    viewport: sizes[size], deviceScaleFactor: size === 'phone' ? 2 : 1, hasTouch: size === 'phone', isMobile: size === 'phone',
    colorScheme: theme, locale, reducedMotion: motion, serviceWorkers: offline ? 'allow' : 'block', acceptDownloads: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript((given) => {
    if (location.protocol === 'about:' || localStorage.getItem('terrarium.settings')) return;
    localStorage.setItem('terrarium.settings', JSON.stringify(given));
  }, settings);
  if (chance) await context.addInitScript(sameChance, chance);
  context.setDefaultTimeout(Number(process.env.WAIT ?? 60_000));
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  await page.goto(url);
  return page;
}

export async function done(page) {
  const { errors } = page;
  await page.context().close();
  if (errors.length) throw new Error(`the page complained: ${errors.join('; ')}`);
}

export const shot = (page, name) => page.screenshot({ path: `${artefacts}${name}.png` });

/** Pictures of a page in both sizes and themes. */
export async function shots(page, name) {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme });
      await shot(page, `${name}-${size}-${theme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Rules WCAG 2.2 AA and best practice that the page breaks, in words. */
export async function violations(page) {
  await page.locator('main').first().waitFor({ state: 'attached' }); /* pages are fetched when they are asked for */
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return found.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(' | ')})`);
}

/** Takes a picture of each thing it is called for, and keeps in `broken` what is
 *  wrong with it. */
export function looker(page, screen) {
  const look = async (name) => {
    await page.waitForTimeout(250);
    await shot(page, `${name}-${screen}`);
    look.broken.push(...(await violations(page)).map((text) => `${name}: ${text}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) look.broken.push(`${name}: scrolls sideways by ${wide}`);
  };
  look.broken = [];
  return look;
}

/** What is smaller than a finger needs; links within a text may be as small as
 * it is (WCAG 2.5.8). */
export const tiny = (page) => page.evaluate(() => [...document.querySelectorAll('button, a[href], input, select, textarea, summary')].flatMap((node) => {
  const label = /checkbox|radio/.test(node.type) ? node.closest('label') : null;
  const box = (label ?? node).getBoundingClientRect();
  const style = getComputedStyle(node);
  if (!box.width || !box.height || style.visibility === 'hidden' || !node.checkVisibility() || style.display === 'inline' || node.closest('[inert], .vh')) return [];
  return box.width < 43.5 || box.height < 43.5 ? [`${node.tagName} ${(node.getAttribute('aria-label') ?? node.textContent).trim().slice(0, 30)}: ${Math.round(box.width)} × ${Math.round(box.height)}`] : [];
}));

/** Starts a game from the new-game page. */
export async function startGame(page, url, { board = '', setup = 'random', players = ['human', 'random'] } = {}) {
  await page.goto(`${url}#/new/nova`);
  await page.locator('svg.board').waitFor();
  if (board) await page.getByText(board, { exact: true }).first().click();
  await page.locator('#option-setup').selectOption(setup === 'random' ? 'random' : '');
  for (let i = 2; i < players.length; i++) await page.getByRole('button', { name: /Add a player/ }).click();
  for (let i = 0; i < players.length; i++) await page.getByLabel(`Who plays for player ${i + 1}`).selectOption(players[i]);
  await page.locator('button:visible', { hasText: /Start the/ }).click();
  await page.locator('[data-board]').waitFor();
}

export const openTyping = async (page) => {
  if (!(await page.locator('.typing').isVisible())) await page.keyboard.press('/');
  await page.locator('.typing').waitFor();
};

export const closeTyping = async (page) => {
  await page.locator('main').focus();
  if (await page.locator('.typing').isVisible()) await page.keyboard.press('/');
};

/** The texts of all legal actions, from the list that people can use too. */
export async function legal(page) {
  await openTyping(page);
  const list = page.locator('.typing select option');
  await page.waitForFunction(() => document.querySelectorAll('.typing select option').length > 1);
  return (await list.evaluateAll((options) => options.map((option) => option.value))).filter(Boolean);
}

/** Where a hex is on screen; needs the hex names to be shown. */
export const hexAt = (page, hex) =>
  page.evaluate((name) => {
    const label = [...document.querySelectorAll('svg.board .names text')].find((text) => text.textContent === name);
    const matrix = label.getScreenCTM();
    const point = new DOMPoint(Number(label.getAttribute('x')), Number(label.getAttribute('y')) - 25.5).matrixTransform(matrix);
    return { x: point.x, y: point.y };
  }, hex);

export async function clickHex(page, hex) {
  const { x, y } = await hexAt(page, hex);
  await page.mouse.click(x, y);
}

export async function tapHex(page, hex) {
  const { x, y } = await hexAt(page, hex);
  await page.touchscreen.tap(x, y);
}

/** Number of complete turns in the log. */
export const steps = (page) => page.locator('.log .acts button').count();
export const prompt = (page) => page.locator('.actionbar .prompt b').innerText();

/** How far the board is zoomed in. */
export const zoomed = (page) => page.locator('svg.board .view').evaluate((g) => Number(/scale\(([\d.]+)/.exec(g.style.transform)?.[1] ?? 1));

/** Waits until the map is drawn greater than before, or smaller. */
export const zooms = (page, before, greater) =>
  page.waitForFunction(([scale, more]) => {
    const now = Number(/scale\(([\d.]+)/.exec(document.querySelector('svg.board .view').style.transform)?.[1] ?? 1);
    return more ? now > scale : now < scale;
  }, [before, greater]);

/** What is read is the wanted, or soon: fingers are heard after the call that moved
 * them, and what lies below the edge follows when there is nothing else to do. */
export async function becomes(read, wanted, why) {
  const until = performance.now() + 30_000;
  let now = await read();
  for (; !isDeepStrictEqual(now, wanted) && performance.now() < until; now = await read()) await sleep(30);
  assert.deepEqual(now, wanted, why);
}

/** Two fingers on the board, so many pixels from the middle and moved aside. */
export async function pinch(page, ...stages) {
  const { x, y, width, height } = await page.locator('[data-board]').boundingBox();
  const fingers = ([apart, aside = 0]) => [-1, 1].map((side, id) => ({ x: x + width / 2 + side * apart + aside, y: y + height / 2, id }));
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(stages[0]) });
  for (const stage of stages.slice(1)) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(stage) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
