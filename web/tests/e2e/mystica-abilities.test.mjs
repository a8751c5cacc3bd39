// What only one faction can do, by mouse from positions near the deed; and what
// makes up for a cost that is missing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { abilities, actions, position, tiles } from './mystica-cases.mjs';
import { choose, clickHex, mine, played, sitDown, steps, tap } from './mystica.mjs';
import { done, launch, open, serve } from './table.mjs';

let server, browser, page;
before(async () => {
  server = await serve();
  browser = await launch();
  page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
});
after(async () => { await done(page); await browser.close(); assert.equal(await server.stop(), 0); });

const convert = async (text) => {
  const before = await steps(page);
  await page.locator(`.board:not(.away) [data-convert="${text}"]`).click();
  await played(page, before);
  return mine(page);
};

/* What was done on another's turn waits to be confirmed. */
async function settle() {
  const confirm = page.locator('.buttons .btn.primary', { hasText: 'Confirm turn' });
  await page.locator('[data-turn="mine"]').or(confirm).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  return mine(page);
}

test('no faction is left out', () => {
  assert.deepEqual([...new Set([...actions, ...abilities].map(({ faction }) => faction))].sort(), tiles.map(({ faction }) => faction).sort());
});

for (const one of abilities) {
  test(`${one.faction}: ${one.what}`, async () => {
    await sitDown(page, server.url, one.change ? one.change(position(one)) : position(one));
    const was = await mine(page);
    for (const deed of one.deeds) await (deed.startsWith('convert') ? convert(deed) : choose(page, deed));
    one.shows(await settle(), was);
  });
}

test('what the Darklings would give up has a name', async () => {
  const one = abilities.find(({ faction }) => faction === 'darklings');
  await sitDown(page, server.url, position(one));
  await choose(page, one.deeds[0]);
  await mine(page);
  assert.equal((await page.locator('[data-deed="forfeit"]').innerText()).trim(), 'Give up: 3 workers for 3 priests');
});

test('the two ways of the Shapeshifters are told apart', async () => {
  await sitDown(page, server.url, position(abilities.find(({ what }) => /five power tokens/.test(what))));
  await mine(page);
  const texts = await page.locator('.board:not(.away) [data-special^="action ACTH"]').allInnerTexts();
  assert.deepEqual(texts.map((text) => text.replace('Use: ', '').trim()), ['another home terrain for 5 power', 'another home terrain, 5 power tokens leave the game']);
});

test('the Yetis see what power actions cost them', async () => {
  await sitDown(page, server.url, position({ faction: 'yetis', home: 'ice green', build: ['D E6'], terrain: 'ice E6' }));
  const { seats } = await mine(page);
  assert.deepEqual(seats[0].prices, [3, 3, 4, 4, 4, 6].map((price) => price - 1));
  assert.match(await page.locator('[data-power="ACT4"]').innerText(), /3/);
});

const halflings = (purse) => position({ faction: 'halflings', home: 'brown brown', build: ['D E6 F5', 'TP D8'] }).replace('C 20 W 20 P 3', purse).replace('bowls 4/4/6', 'bowls 14/0/0');
const ask = () => page.locator('.tip.score .ask').first();

/** Chooses the hex, reads what is asked, and says yes. */
async function agree(cell, text) {
  await mine(page);
  await clickHex(page, cell);
  assert.equal((await ask().innerText()).trim(), text);
  const before = await steps(page);
  await page.locator('.buttons .btn.primary').click();
  await played(page, before);
  return (await mine(page)).cells.find((one) => one.cell === cell).piece;
}

test('priests and workers make up for what is missing, also after digging', async () => {
  await sitDown(page, server.url, halflings('C 6 W 1 P 1'));
  assert.equal(await agree('E6', 'Convert 1 priest to 1 worker?'), 'TP');
  await sitDown(page, server.url, halflings('C 5 W 3 P 1'));
  assert.equal(await agree('E6', 'Convert 1 worker to 1 coin?'), 'TP');
  await sitDown(page, server.url, halflings('C 1 W 4 P 1'));
  await choose(page, 'dig 1. transform F3 to brown');
  assert.equal(await agree('F3', 'Convert 1 priest to 1 coin?'), 'D');
});

test('points make up for coins of the Alchemists', async () => {
  await sitDown(page, server.url, position({ faction: 'alchemists', home: 'black black', build: ['D E5'] }).replace('C 20 W 20 P 3', 'C 4 W 2 P 0').replace('bowls 4/4/6', 'bowls 14/0/0'));
  assert.equal(await agree('E5', 'Convert 2 VP to 2 coins?'), 'TP');
});
