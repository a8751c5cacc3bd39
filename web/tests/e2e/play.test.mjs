// A person at the table: by mouse, by touch, by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomes, clickHex, done, hexAt, launch, legal, open, openTyping, pinch, prompt, serve, shot, startGame, steps, tapHex, zoomed, zooms } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

const shown = { coordinates: true };

/** Waits until the person is asked again. */
const asked = (page) => page.waitForFunction(() => /^(Move|Place)/.test(document.querySelector('.actionbar .prompt b')?.textContent ?? ''));

test('one click from the start page to the board; going back does not begin another', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await page.getByRole('link', { name: 'Play now' }).click();
  await page.locator('[data-board]').waitFor();
  assert.match(await prompt(page), /Move a pioneer/);
  const table = page.url();
  await page.goBack();
  await page.getByRole('link', { name: 'Play now' }).waitFor();
  await page.goto(`${server.url}#/games`);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.locator('[data-board]').waitFor();
  assert.equal(page.url(), table);
  await done(page);
});

test('two clicks from the new-game page to the board, and the bot answers a placement', async () => {
  const page = await open(browser, `${server.url}#/new`, { settings: shown });
  await page.locator('.sum svg.board').waitFor();
  assert.equal(await page.getByLabel('Who plays for player 2').inputValue(), 'club');
  await page.getByRole('button', { name: 'Start the game' }).locator('visible=true').click();
  await page.locator('[data-board]').waitFor();
  assert.match(await prompt(page), /Place a pioneer, 13 left/);
  await clickHex(page, 'h8');
  assert.match(await prompt(page), /Place a pioneer on h8/);
  await clickHex(page, 'g7');
  await page.getByRole('button', { name: 'Place pioneer' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.log .acts button').length >= 2);
  await asked(page);
  assert.match(await prompt(page), /12 left/);
  await done(page);
});

test('a whole turn by mouse: choose, move, stones, undo, redo, confirm', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await startGame(page, server.url);
  const moves = await legal(page);
  const [from, to] = moves.find((text) => text.includes('-')).split('-');
  await page.keyboard.press('Escape');
  await clickHex(page, from);
  assert.ok(await page.locator('svg.board circle').count() > 1, 'rays are drawn');
  await clickHex(page, to);
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  const stone = (await legal(page)).find((text) => text.startsWith('*'));
  await clickHex(page, stone.slice(1).split('(')[0]);
  await page.getByRole('button', { name: 'Place stone' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 2);
  const third = (await legal(page))[0];
  await page.locator('.typing select').selectOption(third);
  await page.waitForFunction(() => document.querySelector('.actionbar .prompt b').textContent === 'End your turn?');
  assert.equal(await steps(page), 3);
  await shot(page, 'turn-complete');
  await page.getByRole('button', { name: 'Confirm turn' }).click();
  await asked(page);
  assert.ok(await steps(page) >= 4, 'the bot has answered');
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled(), 'a confirmed turn stays');
  await done(page);
});

test('illegal attempts explain themselves', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await startGame(page, server.url);
  const moves = (await legal(page)).filter((text) => text.includes('-'));
  const from = moves[0].split('-')[0];
  const reach = new Set(moves.filter((text) => text.startsWith(`${from}-`)).map((text) => text.split('-')[1]));
  const names = await page.locator('.names text').allTextContents();
  const own = new Set(moves.map((text) => text.split('-')[0]));
  const far = names.find((hex) => !reach.has(hex) && !own.has(hex) && hex !== from);
  await clickHex(page, from);
  await clickHex(page, far);
  const tip = page.getByRole('alert');
  await tip.waitFor();
  assert.match(await tip.innerText(), new RegExp(`Not possible on ${far}[\\s\\S]*(straight line|must be free)`));
  await shot(page, 'refusal');
  await openTyping(page);
  await page.locator('.typing input').fill('z99-b2; <script>alert(1)</script>');
  await page.keyboard.press('Enter');
  await page.locator('.typing .fault').waitFor();
  assert.equal(await steps(page), 0, 'nothing was played');
  await done(page);
});

test('a whole turn by touch: a tap chooses, only the button commits', async () => {
  const page = await open(browser, server.url, { size: 'phone', settings: shown });
  await startGame(page, server.url);
  await zooms(page, 1, true); /* it opens close to the action */
  const visible = async (hex) => { const p = await hexAt(page, hex); return p.x > 110 && p.x < 340 && p.y > 260 && p.y < 480; };
  /* Without it the board is larger: only then it is known where a hex lies. */
  const hideTyping = async () => {
    await page.getByRole('button', { name: 'Type' }).tap();
    await page.locator('.typing').waitFor({ state: 'detached' });
  };
  let move = null;
  for (const text of await legal(page)) {
    const [from, to] = text.split('-');
    if (to && (await visible(from)) && (await visible(to))) { move = { from, to }; break; }
  }
  assert.ok(move, 'a move lies within the part that is shown');
  await hideTyping();
  await tapHex(page, move.from);
  await tapHex(page, move.to);
  await page.getByRole('button', { name: 'Move here' }).waitFor();
  await tapHex(page, move.to);
  assert.equal(await page.locator('.step.done').count(), 0, 'a second tap does not commit');
  await shot(page, 'touch-chosen');
  await page.getByRole('button', { name: 'Move here' }).tap();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  for (let i = 0; i < 2; i++) {
    const stones = (await legal(page)).filter((text) => text.startsWith('*'));
    let hex = null;
    for (const text of stones) if (await visible(text.slice(1).split('(')[0])) { hex = text.slice(1).split('(')[0]; break; }
    await hideTyping();
    if (hex) {
      await tapHex(page, hex);
      await page.getByRole('button', { name: 'Place stone' }).tap();
    } else {
      const text = (await legal(page))[0];
      await page.locator('.typing select').selectOption(text);
      await hideTyping();
    }
    await page.waitForFunction((count) => document.querySelectorAll('.step.done').length >= count, i + 2);
  }
  await page.getByRole('button', { name: 'Confirm turn' }).tap();
  await asked(page);
  await page.getByRole('button', { name: 'Log' }).tap();
  assert.ok(await steps(page) >= 4);
  await done(page);
});

test('two fingers zoom the board, and move it where zoom ends', async () => {
  const page = await open(browser, server.url, { size: 'phone' });
  await startGame(page, server.url);
  await zooms(page, 1, true); /* it opens close to the action */
  const before = await zoomed(page);
  await pinch(page, [40], [60], [80]);
  await becomes(async () => Math.abs((await zoomed(page)) - Math.min(5, 2 * before)) < 0.1, true, 'twice as far apart');
  for (let i = 0; i < 2; i++) await pinch(page, [20], [40], [80]);
  await becomes(() => zoomed(page), 5);
  const left = () => page.locator('svg.board .view').evaluate((g) => g.getScreenCTM().e);
  const was = await left();
  await pinch(page, [40], [40, 20], [40, 30]);
  await becomes(async () => Math.abs((await left()) - was - 30) < 3, true, `from ${was} by 30`);
  assert.equal(await zoomed(page), 5, 'side by side they only move it');
  await done(page);
});

test('a whole turn by keyboard alone', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await startGame(page, server.url);
  const board = page.locator('[data-board]');
  for (let i = 0; i < 20 && !(await board.evaluate((node) => node === document.activeElement)); i++) await page.keyboard.press('Tab');
  assert.ok(await board.evaluate((node) => node === document.activeElement), 'Tab reaches the board');
  const spoken = () => page.locator('[data-live=polite]').innerText();
  assert.match(await spoken(), /your pioneer, can move to \d+ hex/);
  await page.keyboard.press('Enter');
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'q', 'd', 'w', 's', 'e', 'a']) {
    await page.keyboard.press(key);
    if (/the chosen pioneer can move here/.test(await spoken())) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await page.keyboard.press('u');
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 0);
  await page.keyboard.press('r');
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await shot(page, 'keyboard-focus');
  await page.keyboard.press('/');
  for (let i = 0; i < 2; i++) {
    const list = await legal(page);
    await page.locator('.typing input').fill(list.find((text) => text.startsWith('*')) ?? list[0]);
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length >= count, i + 2);
  }
  await page.locator('[data-board]').focus();
  await page.keyboard.press('c');
  await asked(page);
  assert.ok(await steps(page) >= 4);
  await done(page);
});

/** Reloads the page in the very moment it shows more steps, and waits until it is back. */
async function reloadOnStep(page, deed) {
  const before = await steps(page);
  await page.evaluate((count) => {
    new MutationObserver(() => {
      if (document.querySelectorAll('.log .acts button').length > count) location.reload();
    }).observe(document.body, { subtree: true, childList: true });
  }, before);
  await Promise.all([page.waitForEvent('load'), deed()]);
  await page.locator('[data-board]').waitFor();
  assert.ok(await steps(page) > before, 'what was shown is kept');
}

test('a reload loses nothing, not even half a turn', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await startGame(page, server.url);
  for (let done = 1; done <= 3; done++) {
    const [first] = await legal(page);
    await reloadOnStep(page, () => page.locator('.typing select').selectOption(first));
    assert.equal(await page.locator('.step.done').count(), done);
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 2);
  const pieces = await page.locator('svg.board .piece').count();
  await page.reload();
  await page.locator('[data-board]').waitFor();
  assert.equal(await page.locator('.step.done').count(), 2);
  assert.equal(await page.locator('svg.board .piece').count(), pieces);
  const [third] = await legal(page);
  await page.locator('.typing select').selectOption(third);
  await page.getByRole('button', { name: 'Confirm turn' }).waitFor();
  await reloadOnStep(page, () => page.getByRole('button', { name: 'Confirm turn' }).click());
  await asked(page);
  assert.ok(await steps(page) >= 6, 'the bot has gone on');
  await page.goto(`${server.url}#/games`);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.locator('[data-board]').waitFor();
  await done(page);
});

test('what cannot be kept is shown with a warning, and what was kept stays', async () => {
  const page = await open(browser, server.url, { settings: shown });
  await startGame(page, server.url);
  const [first] = await legal(page);
  await page.locator('.typing select').selectOption(first);
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await page.evaluate(() => { IDBObjectStore.prototype.put = () => { throw new DOMException('the disk is full', 'QuotaExceededError'); }; });
  const [next] = await legal(page);
  await page.locator('.typing select').selectOption(next);
  await page.getByRole('alert').filter({ hasText: 'the disk is full' }).waitFor();
  assert.equal(await page.locator('.step.done').count(), 2);
  await page.reload();
  await page.locator('[data-board]').waitFor();
  assert.equal(await page.locator('.step.done').count(), 1);
  await done(page);
});

test('people share one screen, and a game of three with a bot goes round', async () => {
  const page = await open(browser, server.url, { settings: { ...shown, askEnd: false } });
  await startGame(page, server.url, { players: ['human', 'human', 'random'] });
  for (const name of ['Player 1', 'Player 2']) {
    await page.waitForFunction((who) => document.querySelector('.actionbar .prompt b').textContent.startsWith(`${who}:`), name);
    for (let i = 0; i < 3; i++) {
      const before = await steps(page);
      await page.locator('.typing select').selectOption((await legal(page))[0]);
      await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
    }
  }
  await page.waitForFunction(() => document.querySelector('.actionbar .prompt b').textContent.startsWith('Player 1:'));
  await done(page);
});

test('an exhibition of bots runs, pauses and goes faster', async () => {
  const page = await open(browser, `${server.url}#/new/exhibition`);
  await page.getByText('Lake Islet').click();
  for (const i of [1, 2]) await page.getByLabel(`Who plays for player ${i}`).selectOption('random');
  await page.getByRole('button', { name: 'Start the show' }).locator('visible=true').click();
  await page.locator('[data-board]').waitFor();
  await page.getByLabel('Speed').selectOption({ label: '4×' });
  await page.waitForFunction(() => document.querySelectorAll('.log .acts button').length > 5);
  await page.getByRole('button', { name: 'Pause' }).click();
  /* Whoever thinks, finishes that. */
  await page.waitForFunction(() => ![...document.querySelectorAll('.seatrow .meta')].some((one) => one.textContent.includes('thinking')));
  const before = await steps(page);
  await page.waitForTimeout(700);
  assert.equal(await steps(page), before);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  await done(page);
});

test('hints are computed without blocking and drawn as arrows', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hints li').first().waitFor();
  assert.equal(await page.locator('.hints li').count(), 3);
  await shot(page, 'hints');
  await page.locator('.hints button').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await done(page);
});
