// Terra Mystica at one screen: a whole game against a bot by mouse, its record
// as a file and back, turns by keyboard, pass and play, and the table in both themes on two screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { act, allowed, begin, clickHex, lit, mine, played, scene, sitDown, steps, tap, wanted } from './mystica.mjs';
import { menu } from './online.mjs';
import { artefacts, becomes, done, launch, open, openTyping, root, serve, shot, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

async function table(options, players) {
  const page = await open(browser, 'about:blank', options);
  await page.addInitScript(tap);
  await begin(page, server.url, players);
  return page;
}

/* The record leaves as a file; a browser that has never seen the game plays it
 * to the same end and writes the same. */
async function comesBack(page, end) {
  const written = async (from) => {
    await from.waitForFunction(() => document.querySelector('dialog textarea')?.value.startsWith('game: mystica'));
    return from.locator('dialog textarea').inputValue();
  };
  const count = await steps(page);
  await menu(page, 'Share and export');
  const text = await written(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()]);
  const path = `${artefacts}whole.mystica`;
  await download.saveAs(path);
  assert.equal(readFileSync(path, 'utf8'), text);
  const other = await open(browser, `${server.url}#/import`);
  await other.locator('input[type=file]').setInputFiles(path);
  await other.waitForFunction(() => document.querySelector('textarea').value);
  await other.getByRole('button', { name: 'Import', exact: true }).click();
  await other.locator('.scrub').waitFor();
  assert.equal(Number(await other.locator('.rail input').getAttribute('max')), count);
  await other.locator('.spd[aria-label="Share and export"]').click();
  assert.equal(await written(other), text);
  await other.goto(other.url().replace('/replay/', '/play/'));
  await other.locator('.flat table tr.sum').waitFor();
  assert.deepEqual((await other.locator('.flat table tr.sum td').allInnerTexts()).map(Number), end.seats.map((seat) => seat.points));
  await done(other);
}

test('a game against a bot is played to its end by mouse, and its record comes back', async () => {
  const page = await table({});
  const seen = new Set();
  let middle = false;
  for (let turn = 0; turn < 400; turn++) {
    const now = await mine(page);
    if (!now) break;
    const action = wanted(now, seen);
    assert.ok(action, `nothing to choose among ${now.actions.map((a) => a.text).join(', ')}`);
    await becomes(() => lit(page), allowed(now), `only what is legal lights up, after ${turn} actions`);
    await act(page, now, action);
    seen.add(action.kind);
    if (!middle && now.round === 3 && now.phase === 'actions') {
      middle = true;
      assert.deepEqual(await violations(page), []);
    }
  }
  const end = await scene(page);
  assert.equal(end.phase, 'over');
  for (const kind of ['pick', 'build', 'upgrade', 'favour', 'pass', 'done']) assert.ok(seen.has(kind), `no ${kind} among ${[...seen].join(', ')}`);
  const totals = await page.locator('.flat table tr.sum td').allInnerTexts();
  assert.deepEqual(totals.map(Number), end.seats.map((seat) => seat.points), 'the lines of the final scoring add up');
  await shot(page, 'mystica-over');
  await comesBack(page, end);
  await done(page);
});

test('bots advise in the middle of a game and analyse its record', async () => {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  const lines = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
  const id = await sitDown(page, server.url, `${lines.slice(0, lines.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`);
  await mine(page);
  const before = await steps(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hints li').first().waitFor({ timeout: 120_000 });
  assert.equal(await page.locator('.hints li').count(), 3);
  await shot(page, 'mystica-hints');
  await page.locator('.hints button').first().click();
  await played(page, before);
  await page.goto(`${server.url}#/replay/${id}`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.cand li').first().waitFor({ timeout: 120_000 });
  await done(page);
});

test('two people share a screen; power is offered and can be refused', async () => {
  const page = await table({}, ['human', 'human']);
  await openTyping(page);
  const type = async (line) => {
    const before = await steps(page);
    await page.locator('.typing input').fill(line);
    await page.locator('.typing input').press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
    const confirm = page.getByRole('button', { name: 'Confirm turn' });
    if (await confirm.isVisible()) await confirm.click();
  };
  for (const line of ['setup witches', 'setup nomads', 'build C3', 'build B4', 'build E8', 'build C4', 'build A5']) {
    await mine(page);
    await type(line);
  }
  for (let i = 0; i < 2; i++) {
    const now = await mine(page);
    await type(now.actions[0].text);
  }
  const now = await mine(page);
  const upgrade = now.actions.find((a) => a.text === 'upgrade C4 to TP');
  assert.ok(upgrade, 'an upgrade is possible in the first turn');
  let clicks = 0;
  await clickHex(page, upgrade.cell); clicks++;
  await page.locator('.tip.score').getByText(upgrade.cell).first().waitFor();
  const chosen = await steps(page);
  await page.locator('.buttons .btn.primary').click(); clicks++;
  await played(page, chosen);
  const upgraded = await steps(page);
  await page.locator('[data-deed="done"]').click(); clicks++;
  assert.ok(clicks <= 3);
  await played(page, upgraded); /* the offer is there before the turn ends, the next board after it */
  const next = await mine(page);
  const boards = await page.locator('.aside .board h2').evaluateAll((all) => all.filter((one) => one.checkVisibility({ checkOpacity: true })).map((one) => one.textContent));
  assert.deepEqual(boards, [next.seats[next.report].faction].map((name) => name[0].toUpperCase() + name.slice(1)), 'the screen shows the board of whoever has it, and no other');
  assert.deepEqual(next.offers.map(({ to, gain, price }) => [to, gain, price]), [[1, 1, 0]]);
  assert.match(await page.locator('[data-deed="leech"]').innerText(), /Take 1 power/);
  const before = await steps(page);
  await page.locator('[data-deed="decline"]').click();
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  assert.equal((await mine(page)).offers.length, 0);
  await done(page);
});

test('the map is played by keyboard alone', async () => {
  const page = await table({});
  const now = await mine(page);
  await act(page, now, now.actions.find((a) => a.text.endsWith('witches')) ?? now.actions[0]);
  await page.waitForFunction(() => globalThis.shownScene.phase === 'dwell' && document.querySelector('[data-turn="mine"]'));
  const before = await steps(page);
  await page.locator('[data-board]').focus();
  await page.keyboard.press('.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  await done(page);
});

const whole = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
/* Round 4 of a game of five, before its first action. */
const middle = `${whole.slice(0, whole.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;

for (const [size, theme] of [['desktop', 'light'], ['desktop', 'dark'], ['phone', 'light'], ['phone', 'dark']]) {
  test(`the middle of a game on a ${size}, ${theme}`, async () => {
    const page = await open(browser, 'about:blank', { size, theme });
    await page.addInitScript(tap);
    await sitDown(page, server.url, middle);
    await page.locator('.toast').waitFor({ state: 'detached' });
    await mine(page);
    assert.deepEqual(await violations(page), []);
    await page.locator('[data-board]').focus();
    await page.keyboard.press('.');
    await page.keyboard.press('Enter');
    await page.locator('.tip.score').waitFor();
    await shot(page, `mystica-${size}-${theme}`);
    assert.deepEqual(await violations(page), []);
    if (size === 'phone') {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Players' }).click();
      await shot(page, `mystica-${size}-${theme}-players`);
      assert.deepEqual(await violations(page), []);
    }
    await done(page);
  });
}
