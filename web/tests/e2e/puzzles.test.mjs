// Puzzles: one of each game by keyboard alone, a turn that is not the best, the
// solution step by step, earlier days, and offline.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { done, launch, looker, open, root, screens, serve } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* The client chooses by the day; the test reads the same files. */
const blocks = (game) => readFileSync(`${root}web/dist/puzzles/${game}.txt`, 'utf8').trim().split('\n\n');
const DAY = 86_400_000;
const puzzleOf = (game, date) => {
  const list = blocks(game);
  const [head, play] = list[((Date.parse(date) / DAY) * 152) % list.length].split('\n');
  return { best: Number(/ best (\d+)/.exec(head)[1]), line: play.slice('play '.length).split('; ') };
};
const date = '2026-03-09';

const type = async (page, text) => {
  await page.locator('.typing input').focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};
const played = (page, text) => page.waitForFunction((action) => document.querySelector('.played')?.textContent?.includes(action), text);
const playAll = async (page, line) => {
  for (const action of line) {
    await type(page, action);
    await played(page, action);
  }
};

for (const game of ['nova', 'terrax', 'mystica'])
  test(`a puzzle of ${game} is solved by keyboard, and its solution explained`, async () => {
    const { best, line } = puzzleOf(game, date);
    const page = await open(browser, `${server.url}#/puzzles/${game}/${date}`);
    await page.locator('[data-board]').waitFor();
    assert.equal(await page.locator('[data-solution]').count(), 0, 'the solution is offered after a try only');
    await type(page, line[0]);
    await played(page, line[0]);
    await page.locator('#main').focus();
    await page.keyboard.press('u');
    await page.locator('.played').waitFor({ state: 'detached' });
    await playAll(page, line);
    await page.locator('.task .good', { hasText: `Solved: ${best} points` }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('A best turn'));
    await page.keyboard.press('Enter');
    await page.locator('.told').waitFor();
    assert.equal(await page.locator('.told li').count(), line.length + 1);
    const gains = await page.locator('.told b').evaluateAll((list) => list.reduce((sum, one) => sum + Number(one.textContent.replace('−', '-')), 0));
    assert.equal(gains, best, 'the steps add up');
    assert.ok((await page.locator('.told p').count()) > 0, 'and are explained');
    for (let i = 1; i <= line.length; i++) {
      await page.getByRole('button', { name: 'Forward one action' }).click();
      await page.locator(`.told li:nth-child(${i + 1}).now`).waitFor();
    }
    assert.match(await page.locator('.why').innerText(), /different turns/);
    await page.reload();
    await page.locator('[data-solution]').waitFor();
    await done(page);
  });

test('a turn that is not the best is told so, and tried again', async () => {
  /* Some day on which arrows behind the base arrow are needed. */
  let day = date;
  const base = (line) => line.findIndex((action) => /^[ABC]>/.test(action));
  while (base(puzzleOf('terrax', day).line) >= puzzleOf('terrax', day).line.length - 2) day = new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
  const { best, line } = puzzleOf('terrax', day);
  const page = await open(browser, `${server.url}#/puzzles/terrax/${day}`);
  await page.locator('[data-board]').waitFor();
  await playAll(page, line.slice(0, base(line) + 1));
  await type(page, 'end');
  const result = await page.locator('.task .result').innerText();
  assert.match(result, new RegExp(`You scored -?\\d+ of the best ${best}`));
  await page.keyboard.press('Enter'); /* try again has the focus */
  await page.locator('.task .sofar[data-points="0"]').waitFor();
  await page.locator('[data-solution]').click();
  await page.locator('.told').waitFor();
  await page.goto(`${server.url}#/puzzles`);
  await page.locator('.cards').waitFor();
  await done(page);
});

test('the day’s three, earlier days, and no later ones', async () => {
  const page = await open(browser, `${server.url}#/puzzles`, { locale: 'nl-NL' });
  await page.locator('.art img').nth(2).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 14);
  await page.getByRole('button', { name: 'Verder terug' }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 28);
  await page.locator('[data-puzzle=nova]').click();
  await page.getByRole('heading', { name: 'Haal in deze beurt zoveel mogelijk punten.' }).waitFor();
  await page.goto(`${server.url}#/puzzles/nova/9999-01-01`);
  await page.getByText('Deze dag moet nog komen.').waitFor();
  await done(page);
});

test('offline', async () => {
  const { best, line } = puzzleOf('nova', date);
  const page = await open(browser, server.url, { offline: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const kept = [];
    for (const name of await caches.keys()) for (const key of await (await caches.open(name)).keys()) kept.push(key.url);
    return ['nova.txt', 'terrax.txt', 'mystica.txt', '.wasm'].every((end) => kept.some((url) => url.split('?')[0].endsWith(end)));
  });
  await page.context().setOffline(true);
  await page.goto(`${server.url}#/puzzles/nova/${date}`);
  await page.reload();
  await page.locator('[data-board]').waitFor();
  await type(page, line.join(' '));
  await page.locator('.task .good', { hasText: `Solved: ${best} points` }).waitFor();
  await page.context().setOffline(false);
  page.errors = page.errors.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text));
  await done(page);
});

for (const [size, theme] of screens)
  test(`puzzles look right, ${size}, ${theme}`, async () => {
    const page = await open(browser, server.url, { size, theme });
    const look = looker(page, `${size}-${theme}`);
    await page.goto(`${server.url}#/puzzles`);
    await page.locator('.art img').nth(2).waitFor();
    await look('puzzles');
    for (const game of ['nova', 'terrax', 'mystica']) {
      await page.goto(`${server.url}#/puzzles/${game}/${date}`);
      await page.locator('[data-board]').waitFor();
      await look(`puzzle-${game}`);
      await playAll(page, puzzleOf(game, date).line);
      await page.locator('.task .good').waitFor();
      await page.locator('.task .btn.primary').click();
      await page.locator('.told').waitFor();
      await look(`puzzle-${game}-solution`);
    }
    assert.deepEqual(look.broken, []);
    await done(page);
  });
