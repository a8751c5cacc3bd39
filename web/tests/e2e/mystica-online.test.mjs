// Terra Mystica together: factions drawn, dealt and bid for, as on one screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { actor, enter, world } from './online.mjs';
import { becomes, done } from './table.mjs';

const w = world();
let both;
before(async () => { await w.begin(); both = [await w.person('Ann'), await w.person('Bob')]; });
after(async () => { for (const page of both) await done(page); await w.finish(); });

/** Ann opens a table with the new-game page and Bob joins it by the link. */
async function sit(choose) {
  const [ann, bob] = both;
  await ann.goto(`${w.url()}#/new/mystica`);
  await ann.locator('label.pace', { hasText: 'Live' }).click();
  await ann.getByLabel('Who plays for player 2').selectOption('human');
  await choose(ann);
  await ann.locator('button[form=new-table]:visible').click();
  await ann.locator('#invite-link').waitFor();
  await bob.goto(await ann.locator('#invite-link').inputValue());
  await bob.getByRole('button', { name: 'Join', exact: true }).click();
  for (const page of both) await enter(page);
}
const offered = (page) => page.locator('[data-faction]').evaluateAll((all) => all.map((one) => one.dataset.faction));
const without = (page) => page.locator('.players li', { hasText: 'no faction yet' }).count();

test('factions are drawn for everybody', async () => {
  await sit((page) => page.locator('#mt-choice').selectOption('random'));
  const page = await actor(both);
  await page.locator('.actionbar').getByText('Place a starting dwelling').waitFor();
  for (const one of both) {
    await one.locator('.players li').nth(1).waitFor();
    assert.equal(await without(one), 0);
  }
});

test('tiles chosen by hand lie on the table of everybody', async () => {
  const cards = [1, 2, 4, 8, 10];
  const rounds = ['SCORE6', 'SCORE4', 'SCORE1', 'SCORE8', 'SCORE7', 'SCORE3'];
  let chosen = [];
  await sit(async (page) => {
    await page.locator('#mt-choice').selectOption('random');
    await page.locator('#mt-tiles').selectOption('hand');
    for (const [i, tile] of rounds.entries()) await page.locator(`#mt-score-${i + 1}`).selectOption(tile);
    chosen = await Promise.all(rounds.map((_, i) => page.locator(`#mt-score-${i + 1} option:checked`).innerText()));
    const boxes = page.locator('fieldset input[type=checkbox]');
    for (let i = 0; i < 10; i++) await boxes.nth(i).uncheck();
    for (const i of cards) await boxes.nth(i - 1).check();
  });
  for (const page of both) {
    await page.locator('.top .rounds li').first().waitFor();
    const told = await page.locator('.top .rounds li').evaluateAll((all) => all.map((li) => `${li.querySelector('.vp').textContent} VP ${li.title.replace('. ', ' · ')}`));
    assert.deepEqual(told.map((text) => text.toLowerCase()), chosen.map((text) => text.toLowerCase()));
    await page.locator('[data-supply] summary').click();
    await becomes(() => page.locator('[data-supply] [data-icon^="BON"]').evaluateAll((all) => all.map((one) => one.dataset.icon)), cards.map((i) => `BON${i}`));
  }
});

test('each chooses from the terrains that were dealt', async () => {
  await sit((page) => page.locator('#mt-choice').selectOption('dealt'));
  const hands = [];
  for (const left of [1, 0]) {
    const page = await actor(both);
    await page.getByText('Dealt to you: choose one of these').waitFor();
    hands.push(await offered(page));
    await page.locator('[data-faction]').first().click();
    await page.locator('.buttons .btn.primary').click();
    for (const one of both) await one.waitForFunction((n) => [...document.querySelectorAll('.players li')].filter((li) => /no faction yet/.test(li.textContent)).length === n, left);
  }
  assert.deepEqual(hands.map((hand) => hand.length), [6, 6]);
  assert.equal(new Set(hands.flat()).size, 12, 'no faction is dealt twice');
  await (await actor(both)).locator('.actionbar').getByText('Place a starting dwelling').waitFor();
});

test('factions are bid for', async () => {
  await sit((page) => page.locator('#option-auction').selectOption('drawn'));
  const page = await actor(both);
  await page.locator('.actionbar').getByText('Bid for a faction').waitFor();
  await page.locator('[data-faction]').first().waitFor();
  assert.equal((await offered(page)).length, 2);
});
