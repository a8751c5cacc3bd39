// The small promises: what is set up is played, everything is said twice, seen
// before it is done, kept, found again, and reached without a mouse.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { artefacts, clickHex, closeTyping, done, hexAt, launch, legal, open, root, serve, shot, startGame, steps } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* Most of a real game of three: a stone on e2 closes land after b1-d1. */
const record = readFileSync(`${root}tests/games/nova/026-island-3-en-greedy.nova`, 'utf8')
  .split('\n').filter((line) => !/^\[(Result|End)/.test(line)).slice(0, 47).join('\n');

async function openRecord(page, text = record) {
  await page.goto(`${server.url}#/import`);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('.scrub').waitFor();
  await page.goto(`${server.url}#/play/${page.url().split('/').pop()}`);
  await page.locator('[data-board]').waitFor();
}

async function shared(page) {
  await page.getByRole('button', { name: 'Game menu' }).click();
  await page.getByRole('button', { name: 'Share and export' }).click();
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.startsWith('[Game'));
  return page.locator('dialog textarea').inputValue();
}

test('what is set up is what is played', async () => {
  const page = await open(browser, `${server.url}#/new/nova`);
  await page.locator('.sum svg.board').waitFor();
  await page.getByRole('button', { name: /Add a player/ }).click();
  await page.getByRole('button', { name: /Add a player/ }).click();
  assert.equal(await page.getByLabel(/^Who plays for player/).count(), 4);
  await page.getByLabel('Name of player 1').fill('Zoë');
  await page.getByLabel('Colour of player 1').selectOption('b');
  for (const i of [2, 3, 4]) await page.getByLabel(`Who plays for player ${i}`).selectOption(i === 4 ? 'random' : 'human');
  await page.locator('#option-edition').selectOption('nl');
  await page.locator('#option-stones').fill('33');
  await page.locator('#option-stones').blur();
  for (const name of ['edition', 'stones', 'quiet', 'setup']) assert.ok((await page.locator(`label[for=option-${name}] .xs`).innerText()).length > 10, `${name} has its line of help`);
  await page.locator('button:visible', { hasText: 'Start the game' }).click();
  await page.locator('[data-board]').waitFor();
  const text = await shared(page);
  assert.match(text, /\[Seats "b/);
  assert.match(text, /\[Edition "nl"\]/);
  assert.match(text, /\[\w*[Ss]tones "33"\]|stones=33/i);
  assert.match(text, /"Zoë"/);
  await done(page);
});

test('landscapes and seats differ by shape too, and hex names can be shown', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { players: ['human', 'human', 'human', 'human'] });
  const distinct = (selector, read) => page.locator(selector).evaluateAll((nodes, key) => new Set(nodes.map((node) => node.getAttribute(key))).size, read);
  assert.equal(await distinct('[data-board] use[href^="#g-land-"]', 'href'), 8);
  assert.equal(await distinct('[data-board] .piece use', 'href'), 4);
  assert.equal(await page.locator('[data-board] .names text').count(), 0);
  const table = page.url();
  await page.goto(`${server.url}#/settings`);
  await page.getByLabel('Hex names on the board').check();
  await page.locator('label', { hasText: 'Theme' }).locator('select').selectOption('dark');
  await page.goto(table);
  await page.reload();
  await page.locator('[data-board] .names text').first().waitFor();
  assert.equal(await page.locator('[data-board] .names text').count(), 168);
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await done(page);
});

test('hovering shows ways and consequences, and a scoring flashes with its sum', async () => {
  const page = await open(browser, server.url, { motion: 'no-preference', settings: { coordinates: true } });
  await openRecord(page);
  const move = async (hex) => { const { x, y } = await hexAt(page, hex); await page.mouse.move(x, y); };
  const rays = page.locator('[data-board] svg circle[stroke="var(--ov-legal)"]');
  assert.equal(await rays.count(), 0);
  await move('b1');
  await rays.first().waitFor();
  assert.equal(await rays.count(), (await legal(page)).filter((text) => text.startsWith('b1-')).length, 'a ring where it can go');
  await closeTyping(page);
  await clickHex(page, 'b1');
  await clickHex(page, 'd1');
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  const stones = (await legal(page)).filter((text) => text.startsWith('*')).length;
  await closeTyping(page);
  assert.equal(await page.locator('[data-board] polygon[stroke="var(--ov-legal)"][stroke-dasharray]').count(), stones, 'every legal stone is marked');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('[data-board] .piece')).transitionDuration !== '0s');
  await move('e2');
  const tip = page.locator('.tip.score');
  await tip.waitFor();
  assert.match(await tip.innerText(), /\+24 for you[\s\S]*12 × 2 = 24[\s\S]*All 4 pioneers inside leave/);
  await page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() => {
      const sum = document.querySelector('[data-board] text.sum');
      if (sum) window.seen.push([sum.textContent, getComputedStyle(document.querySelector('[data-board] .flash')).animationName]);
    }).observe(document.querySelector('[data-board]'), { subtree: true, childList: true });
  });
  await clickHex(page, 'e2');
  const place = page.getByRole('button', { name: 'Place stone' });
  await place.or(page.locator('.step.done').nth(1)).first().waitFor();
  if (await place.isVisible()) await place.click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 2);
  await page.waitForFunction(() => window.seen.length > 0);
  const [[sum, animation]] = await page.evaluate(() => window.seen);
  assert.equal(sum, '12 × 2 = 24');
  assert.match(animation, /flash/);
  assert.match(await tip.innerText(), /12 hexes × 2 = 24 for Player 2/);
  await shot(page, 'flash');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.match(await page.evaluate(() => getComputedStyle(document.querySelector('[data-board] .piece')).transitionDuration), /^0s|^0\.0|^1e-/, 'calm where it is asked for');
  await done(page);
});

test('the log points at the board, jumps there, and comes back', async () => {
  const page = await open(browser, server.url);
  await openRecord(page);
  const marked = page.locator('[data-board] polygon[stroke="var(--ov-preview)"]');
  const entry = page.locator('.log .acts button').nth(60);
  assert.equal(await marked.count(), 0);
  await entry.hover();
  await marked.first().waitFor();
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => !document.querySelector('[data-board] polygon[stroke="var(--ov-preview)"]'));
  await entry.click();
  await page.locator('.prompt b', { hasText: /61/ }).waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.locator('.prompt b', { hasText: 'Move a pioneer' }).waitFor();
  await done(page);
});

test('a record leaves as a file and comes back as one, boards of one’s own inside', async () => {
  const board = readFileSync(`${root}web/tests/e2e/atoll.board`, 'utf8');
  const page = await open(browser, `${server.url}#/new/nova`);
  await page.locator('.sum svg.board').waitFor();
  await page.getByRole('button', { name: 'Own board' }).click();
  await page.getByLabel('Text of the board file').fill(board);
  await page.getByRole('button', { name: 'Use this board' }).click();
  await page.locator('#option-setup').selectOption('random');
  await page.locator('button:visible', { hasText: 'Start the game' }).click();
  await page.locator('[data-board]').waitFor();
  const hexes = await page.locator('[data-board] use[href^="#g-land-"], [data-board] .piece').count();
  const text = await shared(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()]);
  const path = `${artefacts}own-board.nova`;
  await download.saveAs(path);
  assert.equal(readFileSync(path, 'utf8'), text);
  await done(page);
  /* Another browser, which has never seen this board. */
  const other = await open(browser, `${server.url}#/import`);
  await other.locator('input[type=file]').setInputFiles(path);
  await other.waitForFunction(() => document.querySelector('textarea').value.startsWith('[Game'));
  await other.getByRole('button', { name: 'Import', exact: true }).click();
  await other.locator('.scrub').waitFor();
  assert.equal(await other.locator('svg.board use[href^="#g-land-"], svg.board .piece').count(), hexes);
  await done(other);
});

test('several games are kept side by side, and events are told to screen readers', async () => {
  const page = await open(browser, server.url);
  for (let i = 0; i < 2; i++) {
    await startGame(page, server.url, { board: 'Lake Islet', players: ['human', 'random'] });
    await page.locator('.typing select, [data-board]').first().waitFor();
  }
  const second = page.url();
  for (let i = 0; i < 3; i++) {
    const before = await steps(page);
    await page.locator('.typing select').selectOption((await legal(page))[0]);
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  }
  await page.evaluate(() => {
    window.told = [];
    new MutationObserver(() => window.told.push(document.querySelector('[data-live=polite]').textContent)).observe(document.querySelector('[data-live=polite]'), { childList: true, characterData: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Confirm turn' }).click();
  await page.waitForFunction(() => window.told.some((text) => /Random/.test(text)));
  await closeTyping(page);
  await page.goto(`${server.url}#/games`);
  await page.locator('.card').nth(1).waitFor();
  assert.equal(await page.locator('.card').count(), 2);
  await page.goto(second);
  await page.locator('[data-board]').waitFor();
  await page.locator('main').focus();
  await page.locator('a.turnchip').waitFor(); /* what else waits is looked up in the store */
  await page.keyboard.press('n');
  await page.waitForFunction((was) => location.href !== was && /#\/play\//.test(location.href), second);
  await page.locator('[data-board]').waitFor();
  const manifest = await (await fetch(`${server.url}manifest.webmanifest`)).json();
  assert.equal(manifest.display, 'standalone');
  assert.deepEqual(manifest.icons.map((icon) => icon.sizes).slice(0, 2), ['192x192', '512x512']);
  await done(page);
});

test('every stop of the Tab key can be seen', async () => {
  const page = await open(browser, server.url);
  await openRecord(page);
  const stops = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const node = document.activeElement;
      if (!node || node === document.body) return null;
      const shown = (n) => { const s = getComputedStyle(n); return (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || s.boxShadow !== 'none'; };
      return { name: `${node.tagName} ${node.getAttribute('aria-label') ?? node.textContent.trim().slice(0, 30)}`, seen: shown(node) || (node.parentElement !== null && shown(node.parentElement)) };
    });
    if (!stop) break;
    assert.ok(stop.seen, `${stop.name} shows that it has the focus`);
    stops.add(stop.name);
  }
  assert.ok([...stops].some((name) => name.startsWith('DIV')), 'the board is one of them');
  assert.ok(stops.size > 8);
  await done(page);
});

test('analysis draws estimates of every seat over time and arrows for the best', async () => {
  const page = await open(browser, server.url);
  await openRecord(page);
  await page.goto(page.url().replace('/play/', '/replay/'));
  await page.locator('.scrub').waitFor();
  const before = await page.locator('.chartp .leg').innerText();
  assert.equal(await page.locator('svg.board circle[r="12"]').count(), 0);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.cand li').nth(2).waitFor();
  assert.notEqual(await page.locator('.chartp .leg').innerText(), before, 'estimates stand where points stood');
  assert.equal(await page.locator('.chartp canvas').count(), 1);
  assert.equal(await page.locator('.chartp .leg li').count(), 3);
  assert.equal(await page.locator('.chartp tbody tr').first().locator('td').count(), 3, 'and as numbers for each seat');
  assert.equal(await page.locator('svg.board circle[r="12"]').count(), 3, 'an arrow for each of the best');
  await page.locator('main').focus();
  const at = () => page.locator('.rail input').inputValue().then(Number);
  const end = await at();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((was) => Number(document.querySelector('.rail input').value) === was - 1, end);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.rail input').value === '0');
  await page.getByLabel('Speed').selectOption({ label: '4×' });
  await page.locator('main').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.querySelector('.rail input').value) >= 2);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await done(page);
});

test('hints are arrows on the table too', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  await page.locator('[data-board]').focus();
  await page.keyboard.press('h');
  await page.locator('.hints li').nth(2).waitFor();
  assert.equal(await page.locator('[data-board] circle[r="12"]').count(), 3);
  await page.keyboard.press('h');
  await page.waitForFunction(() => !document.querySelector('.hints'));
  assert.equal(await page.locator('[data-board] circle[r="12"]').count(), 0);
  await done(page);
});

test('what is fetched late for another game does not hide the board of this one', async () => {
  const page = await open(browser, 'about:blank');
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/\/assets\/nova-[^/]*\.js/, (route) => held.then(() => route.continue()));
  const asked = page.waitForRequest(/\/assets\/nova-[^/]*\.js/);
  await page.goto(`${server.url}#/new/terrax`);
  const request = await asked;
  await page.locator('.sum svg.board').waitFor();
  release();
  await (await request.response()).finished();
  await page.evaluate(async (url) => { await import(url); await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); }, request.url());
  assert.ok(await page.locator('.sum svg.board').isVisible());
  await done(page);
});
