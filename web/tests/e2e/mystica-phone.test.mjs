// Terra Mystica by finger on a phone: what a tap tells of a hex in play, on
// another's turn and in a replay; clicks from wish to end; two fingers zoom.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { position } from './mystica-cases.mjs';
import { begin, choose, mine, played, scene, sitDown, steps, tap } from './mystica.mjs';
import { becomes, done, launch, open, pinch, root, serve, shot, violations, zoomed, zooms } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

async function phone(options = {}) {
  const page = await open(browser, 'about:blank', { size: 'phone', ...options });
  await page.addInitScript(tap);
  return page;
}

/* The whole map in view, so that every hex can be touched. */
const whole = async (page) => {
  const button = page.getByRole('button', { name: 'Whole board' });
  if (await button.isVisible()) await button.tap();
  await becomes(() => zoomed(page), 1);
};

async function touch(page, cell) {
  const { x, y, width, height } = await page.locator(`[data-board] [data-cell="${cell}"]`).boundingBox();
  await page.touchscreen.tap(x + width / 2, y + height / 2);
}

const stronghold = position({ faction: 'halflings', home: 'brown brown', build: ['SH E6', 'D F5', 'X D8'], terrain: 'brown D8' }).replace('bowls 4/4/6', 'bowls 14/0/0');

test('a tap tells what a hex is and why nothing can be done there', async () => {
  const page = await phone();
  await sitDown(page, server.url, stronghold);
  await mine(page);
  await page.locator('.toast').waitFor({ state: 'detached' });
  const bad = page.locator('.tip.bad');
  const river = (await scene(page)).cells.find(({ terrain }) => terrain === 'river').cell;
  for (const [cell, wanted] of [
    ['I4', /I4, lakes, dwelling of Swarmlings[^]*A building stands there already/],
    ['E6', /E6, plains, stronghold of Halflings[^]*Stronghold on E6\. It cannot be upgraded any further/],
    ['D8', /D8, plains, special terrain tile “.+” of Halflings[^]*It cannot be upgraded any further/],
    [river, new RegExp(`${river}, river[^]*That is a river hex`)],
    ['A1', /A1, plains[^]*It cannot be reached from your buildings/],
  ]) {
    await whole(page);
    await touch(page, cell);
    await becomes(async () => wanted.test(await bad.innerText().catch(() => '')), true, `${cell}: ${await bad.innerText().catch(() => 'nothing')}`);
    if (cell === 'E6') await shot(page, 'mystica-phone-why');
    await page.keyboard.press('Escape');
    await bad.waitFor({ state: 'detached' });
  }
  /* A hex where something can be done takes its place. */
  await touch(page, 'A1');
  await bad.waitFor();
  await touch(page, 'F5');
  await page.locator('.tip.score').getByText('F5, plains, dwelling of Halflings').waitFor();
  await done(page);
});

test('a tap tells of a hex while another is to move, and in a replay', async () => {
  const page = await phone();
  await begin(page, server.url, ['random', 'random']);
  await page.waitForFunction(() => globalThis.shownScene);
  const pause = page.getByRole('button', { name: 'Pause' });
  if (await pause.isVisible()) await pause.tap();
  await whole(page);
  const info = page.locator('.hexinfo');
  await touch(page, 'E6');
  await becomes(() => info.innerText(), 'E6, plains');
  await done(page);

  const watcher = await phone({ theme: 'dark' });
  const lines = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8');
  await watcher.goto(`${server.url}#/import`);
  await watcher.getByLabel('Record or position').fill(lines);
  await watcher.getByRole('button', { name: 'Import', exact: true }).click();
  await watcher.locator('.scrub').waitFor();
  await watcher.locator('.rail input').fill('200');
  await watcher.waitForFunction(() => document.querySelector('.log li.now .at'));
  const [built] = await watcher.evaluate(() => [...document.querySelectorAll('[data-board] [data-cell]')].map((hex) => hex.dataset.cell).filter((cell) => cell === 'E7'));
  await touch(watcher, built);
  const said = watcher.locator('.hexinfo');
  await becomes(async () => /^E7, [a-z]+/.test(await said.innerText()), true);
  await shot(watcher, 'mystica-phone-replay');
  await touch(watcher, (await watcher.locator('[data-board] [data-cell^="r"]').first().getAttribute('data-cell')));
  await becomes(() => said.innerText(), 'River');
  assert.deepEqual(await violations(watcher), []);
  await done(watcher);
});

const halflings = position({ faction: 'halflings', home: 'brown brown', build: ['D E6 F5', 'TP D8'] });

test('building and upgrading take three taps', async () => {
  const page = await phone();
  for (const [cell, piece] of [['F3', 'D'], ['E6', 'TP']]) {
    await sitDown(page, server.url, halflings);
    await mine(page);
    await page.locator('.toast').waitFor({ state: 'detached' });
    await whole(page);
    const count = await steps(page);
    await touch(page, cell);
    await page.locator('.buttons .btn.primary').tap();
    await played(page, count);
    await page.locator('[data-deed="done"]').tap();
    await played(page, count + 1);
    await mine(page);
    assert.equal((await scene(page)).cells.find((one) => one.cell === cell).piece, piece);
  }
  await done(page);
});

test('a temple with its favour tile takes three taps, and its hex stays in sight', async () => {
  const page = await phone();
  await sitDown(page, server.url, position({ faction: 'halflings', home: 'brown brown', build: ['TP H3', 'D F5'], terrain: 'brown H3' }));
  await mine(page);
  await page.locator('.toast').waitFor({ state: 'detached' });
  await whole(page);
  const count = await steps(page);
  await touch(page, 'H3');
  const tile = page.locator('.tray [data-tile="FAV11"]');
  await tile.scrollIntoViewIfNeeded();
  const bottom = async (locator) => { const { y, height } = await locator.boundingBox(); return y + height; };
  await becomes(async () => await bottom(page.locator('[data-board] [data-cell="H3"]')) <= (await page.locator('.tip.score').boundingBox()).y, true);
  await shot(page, 'mystica-phone-temple');
  assert.deepEqual(await violations(page), []);
  await tile.tap();
  await played(page, count + 1);
  await page.locator('[data-deed="done"]').tap();
  await played(page, count + 2);
  await mine(page);
  assert.deepEqual((await scene(page)).seats[0].favours, [11]);
  await done(page);
});

/* Everything that can be pressed, and the step that is asked for. */
const outside = (page) => page.evaluate(() => [...document.querySelectorAll('.foot .btn, .step.now, .turn .line')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent.trim()));

test('however long a turn is, its end is on the screen', async () => {
  for (const options of [{}, { size: 'desktop' }]) {
    const page = await phone(options);
    await sitDown(page, server.url, position({ faction: 'halflings', home: 'brown brown', build: ['TP E6', 'D F5'] }));
    for (const deed of ['upgrade E6 to TE', '+FAV11']) await choose(page, deed);
    if (options.size) for (let i = 0; i < 5; i++) {
      const count = await steps(page);
      await page.locator('[data-convert="convert 1W to 1C"]').click();
      await played(page, count);
    }
    await page.locator('[data-deed="done"]').waitFor();
    assert.deepEqual(await outside(page), [], JSON.stringify(options));
    assert.ok(await page.locator('.step.now').evaluate((one) => one.scrollWidth <= one.clientWidth), 'the step to come is told whole');
    await shot(page, `mystica-long-turn-${options.size ?? 'phone'}`);
    await done(page);
  }
});

test('a power action takes three taps', async () => {
  const page = await phone();
  await sitDown(page, server.url, halflings);
  await mine(page);
  await page.locator('.toast').waitFor({ state: 'detached' });
  const C = (await scene(page)).seats[0].C;
  await shot(page, 'mystica-phone-powers');
  assert.deepEqual(await violations(page), []);
  let taps = 0;
  const press = async (locator) => { taps++; await locator.tap(); };
  const count = await steps(page);
  await press(page.locator('.powers [data-power="ACT4"]'));
  await page.locator('.tip.score').getByText('7 coins').first().waitFor();
  await press(page.locator('.buttons .btn.primary'));
  await played(page, count);
  await press(page.locator('[data-deed="done"]'));
  await played(page, count + 1);
  assert.equal(taps, 3);
  const now = await scene(page);
  assert.deepEqual([now.seats[0].C, now.used], [C + 7, ['ACT4']]);
  /* What was used says so. */
  await mine(page);
  await page.locator('.powers [data-power="ACT4"]').tap({ force: true });
  await page.locator('.tip.bad').getByText('It was used this round already.').waitFor();
  await done(page);
});

test('a power action that needs a hex takes three taps, too', async () => {
  const page = await phone();
  for (const [hex, deed, space] of [['F3', 'Power: 1 spade, dwelling on F3', 'ACT5'], ['D4', 'Power: 2 spades, dwelling on D4', 'ACT6'], ['C2', 'Power: Bridge C2–E5', 'ACT1']]) {
    await sitDown(page, server.url, hex === 'C2' ? halflings.replace('D E6 F5', 'D E6 C2') : halflings);
    await mine(page);
    await page.locator('.toast').waitFor({ state: 'detached' });
    await whole(page);
    const count = await steps(page);
    await touch(page, hex);
    if (hex === 'F3') await shot(page, 'mystica-phone-space');
    await page.locator('.buttons .btn', { hasText: deed }).tap();
    await played(page, count);
    await page.locator('[data-deed="done"]').tap();
    await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n + 1, count);
    await mine(page);
    assert.deepEqual((await scene(page)).used, [space]);
  }
  await done(page);
});

test('two fingers zoom in and out and move the map', async () => {
  const page = await phone();
  await sitDown(page, server.url, stronghold);
  await mine(page);
  await whole(page);
  await pinch(page, [20], [35], [50], [70]);
  await zooms(page, 1, true);
  const close = await zoomed(page);
  assert.ok(close > 1.5, `${close}`);
  const view = () => page.locator('[data-board] .view').evaluate((g) => [...g.style.transform.matchAll(/-?[\d.]+/g)].map(Number));
  const [x] = await view();
  await pinch(page, [40], [40, -20], [40, -50]);
  await becomes(async () => (await view())[0] < x, true, 'it is moved');
  await pinch(page, [70], [50], [35]);
  await zooms(page, close, false);
  assert.equal(await page.locator('.tip').count(), 0, 'fingers that move choose nothing');
  await done(page);
});
