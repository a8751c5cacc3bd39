// A table of Terra Mystica draws again only what has changed: whatever happened,
// it must look like one that has just been opened there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { act, mine, sitDown, steps, tap, wanted } from './mystica.mjs';
import { done, launch, open, root, serve } from './table.mjs';

const lines = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
const middle = `${lines.slice(0, lines.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* All that was put off has been done. */
const rest = (page) => page.evaluate(async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestIdleCallback(resolve))));
});

/* Every word and mark of the page, a line each, with all panels open.  The clock
 * and what could be redone are not kept. */
async function looks(page) {
  await page.mouse.move(2, 2);
  /* Some are inside others. */
  for (let i = 0; i < 3; i++) {
    await rest(page);
    await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = true; });
  }
  await rest(page);
  return page.evaluate(() => {
    const told = ['disabled', 'aria-disabled', 'tabindex', 'title', 'href', 'd', 'fill', 'cx', 'cy', 'transform', 'aria-label', 'aria-current', 'aria-pressed', 'aria-hidden', 'data-open', 'data-turn', 'data-cell', 'data-power', 'data-tile', 'data-convert', 'data-special', 'data-send', 'data-from', 'data-rule'];
    const list = [];
    const look = (node, deep) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data.trim() && list.push(`${deep}${node.data.trim()}`);
      if (!(node instanceof Element) || node.matches('.clock, canvas, .toast') || (node.matches('.btn') && node.textContent === 'Redo')) return;
      const classes = [...node.classList].filter((name) => !name.startsWith('svelte-')).sort().join('.');
      list.push(`${deep}${node.tagName} .${classes} ${told.filter((name) => node.hasAttribute(name)).map((name) => `${name}=${node.getAttribute(name)}`).join(' ')}`);
      for (const child of node.childNodes) look(child, `${deep} `);
    };
    look(document.querySelector('.frame'), '');
    return list;
  });
}

/** The page looks as it does when it is opened anew and brought to the same place. */
async function fresh(page, what, there = async () => {}) {
  const now = await looks(page);
  await page.reload();
  await page.locator('[data-board]').waitFor();
  await there();
  const then = await looks(page);
  assert.deepEqual(now.filter((line, i) => line !== then[i]).slice(0, 8), then.filter((line, i) => line !== now[i]).slice(0, 8), what);
  assert.ok(now.length > 1000, 'there is something to see');
}

/* The log shows where the game is. */
const follows = (page) => page.waitForFunction(() => {
  const list = document.querySelector('.log');
  const [row, all] = [list.querySelector('li.now').getBoundingClientRect(), list.getBoundingClientRect()];
  return row.bottom <= all.bottom + 1 && row.bottom > all.top;
});

test('whatever is played, undone or looked up, every panel says what a fresh one says', async () => {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  await sitDown(page, server.url, middle);
  const seen = new Set();
  const play = async (many) => {
    for (let i = 0; i < many; i++) {
      const now = await mine(page);
      const action = wanted(now, seen);
      seen.add(action.kind);
      if (seen.size > 6) seen.clear();
      await act(page, now, action);
      const confirm = page.getByRole('button', { name: 'Confirm turn' });
      if (await confirm.isVisible()) await confirm.click();
    }
    await mine(page);
  };
  await play(7);
  await fresh(page, 'in the middle of a turn');
  await play(15);
  await fresh(page, 'after turns of everybody');
  const undo = page.getByRole('button', { name: 'Undo' });
  while (await undo.isDisabled()) await play(1);
  const count = await steps(page);
  await undo.click();
  await page.waitForFunction((all) => document.querySelectorAll('.log .acts button').length < all, count);
  await fresh(page, 'undone');
  await play(3);
  const past = async () => {
    await page.locator('.log .acts button').nth(40).click();
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
  };
  await past();
  await fresh(page, 'in the past', past);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await mine(page);
  await fresh(page, 'back from the past');
  await done(page);
});

test('a log that was out of sight has followed the game', async () => {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  await page.setViewportSize({ width: 1400, height: 700 });
  await sitDown(page, server.url, middle);
  const side = page.locator('aside.side');
  assert.ok(await page.locator('.log').evaluate((list) => list.getBoundingClientRect().top > innerHeight), 'it is below the edge');
  for (let i = 0; i < 3; i++) {
    const now = await mine(page);
    await act(page, now, now.actions.find(({ kind }) => kind === 'burn' || kind === 'convert') ?? wanted(now, new Set()));
  }
  await side.evaluate((node) => { node.scrollTop = 9999; });
  await follows(page);
  await page.locator('.log .acts button').nth(12).click();
  await follows(page);
  await done(page);
});

test('a replay shows any position as if it had been opened there', async () => {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  const id = await sitDown(page, server.url, middle);
  await page.goto(`${server.url}#/replay/${id}`);
  const to = async (at) => {
    await page.locator('.rail input').fill(String(at));
    await page.waitForFunction((want) => document.querySelector('.log li.now')?.querySelector('.at') && document.querySelector('.rail input').value === String(want), at);
    await follows(page);
  };
  await page.locator('.log li').first().waitFor();
  for (const at of [30, 90, 31, 120, 60]) await to(at);
  await fresh(page, 'after some jumps', async () => { await page.locator('.log li').first().waitFor(); await to(60); });
  await done(page);
});
