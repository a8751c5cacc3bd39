// Terra Mystica before and after play: ledgers watched as replays, set-up by
// hand and by chance, auction, the guided first game, languages.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { begin, choose, mine, played, scene, sitDown, steps, tap } from './mystica.mjs';
import { done, launch, open, openTyping, root, serve, shot, tiny, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

async function watch(page, text) {
  await page.goto(`${server.url}#/import`);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('.scrub').waitFor();
  await page.locator('.book').click();
  await page.locator('.ledger tbody tr').nth(50).waitFor();
}

/* The last row of each faction that tells its VP. */
const finals = (text) => {
  const vp = {};
  for (const line of text.split('\n')) {
    const field = line.split('\t');
    if (field.length >= 15) vp[field[0]] = Number.parseInt(field[2], 10);
  }
  return Object.values(vp).sort((a, b) => a - b);
};

test('a ledger the project ships is watched row by row', async () => {
  const text = readFileSync(`${root}tests/games/mystica/landscapes-4p-fireice1-5140.tsv`, 'utf8');
  const page = await open(browser, 'about:blank', {});
  await watch(page, text);
  const shown = (await page.locator('.ledger .leg .num').allInnerTexts()).map(Number).sort((a, b) => a - b);
  assert.deepEqual(shown, finals(text));
  /* Charts of everything the rows tell, each another drawing. */
  const rows = text.split('\n').map((line) => line.split('\t')).filter((field) => field.length >= 15);
  const lastOf = (column, sum) => Object.values(Object.fromEntries(rows.map((field) => [field[0], sum(field[column])]))).sort((a, b) => a - b);
  const number = (value) => Number.parseInt(value, 10);
  const cults = (value) => value.split('/').reduce((all, one) => all + Number(one), 0);
  const drawn = new Set();
  for (const [measure, column, sum] of [['VP', 2, number], ['C', 4, number], ['W', 6, number], ['P', 8, number], ['PW', 10, null], ['cults', 12, cults]]) {
    await page.locator('.ledger select').selectOption(measure);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    drawn.add(await page.locator('.ledger canvas').evaluate((canvas) => canvas.toDataURL()));
    if (sum) assert.deepEqual((await page.locator('.ledger .leg .num').allInnerTexts()).map(Number).sort((a, b) => a - b), lastOf(column, sum), measure);
  }
  assert.equal(drawn.size, 6);
  assert.ok(await page.locator('.ledger').getByRole('img', { name: 'Offers', exact: true }).count() > 0, 'offers of power have a name');
  await shot(page, 'mystica-ledger');
  const row = page.locator('.ledger tbody button').nth(30);
  await row.click();
  await page.waitForFunction(() => Number(document.querySelector('.rail input').value) > 0 && document.querySelector('.ledger tr.now')?.textContent);
  assert.equal(await page.locator('.ledger tr.now button').innerText(), await row.innerText());
  assert.deepEqual(await violations(page), []);
  await done(page);
});

test('on a phone the rows of a ledger are large enough for a finger', async () => {
  const page = await open(browser, 'about:blank', { size: 'phone' });
  await watch(page, readFileSync(`${root}tests/games/mystica/landscapes-4p-fireice1-5140.tsv`, 'utf8'));
  await page.locator('.ledger tbody button').first().scrollIntoViewIfNeeded();
  await shot(page, 'mystica-ledger-phone');
  assert.deepEqual(await tiny(page), []);
  assert.deepEqual(await violations(page), []);
  await done(page);
});

for (const size of ['desktop', 'phone']) {
  test(`anywhere in a ledger the boards are those of the moment, on a ${size}`, async () => {
    const lines = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
    const middle = `${lines.slice(0, lines.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;
    const page = await open(browser, 'about:blank', { size });
    await page.addInitScript(tap);
    const id = await sitDown(page, server.url, middle);
    const { seats, favours } = await mine(page);
    await page.goto(`${server.url}#/replay/${id}`);
    await page.locator('.scrub').waitFor();
    const at = await page.locator('.rail input').getAttribute('max');
    await page.goto(`${server.url}#/import`);
    await page.getByLabel('Record or position').fill(lines.join('\n'));
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForFunction((few) => Number(document.querySelector('.rail input')?.max) > Number(few), at);
    await page.locator('.rail input').fill(at);
    if (size === 'phone') await page.locator('.tabs').getByRole('button', { name: 'Players' }).tap();
    else await page.getByRole('button', { name: 'Faction boards and cults' }).click();
    const tableau = page.locator('.tableau');
    await tableau.locator('.bowls').first().waitFor();
    /* The one who is to act at large, the others when they are opened. */
    const closed = tableau.locator('details.other:not(.self)');
    for (let i = 0; i < seats.length - 1; i++) await closed.nth(i).locator('> summary').click();
    await tableau.locator('.bowls').nth(seats.length - 1).waitFor();
    const shown = await tableau.locator('.board:not(.away), details.other:not(.self)').evaluateAll((all) => all.map((one) => `${one.querySelector('h2, summary b').firstChild.textContent.toLowerCase()} ${[...one.querySelectorAll('.bowls b')].map((b) => b.textContent).join('/')}`));
    assert.deepEqual(shown.sort(), seats.map(({ faction, bowls }) => `${faction} ${bowls.join('/')}`).sort());
    const cults = await tableau.locator('.cult').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('ol .on > svg')].map((svg) => svg.getAttribute('aria-label')).sort()));
    assert.deepEqual(cults, [0, 1, 2, 3].map((t) => seats.map((seat, i) => `Player ${i + 1}: ${seat.cults[t]}`)));
    await tableau.locator('[data-supply] summary').click();
    await tableau.locator('[data-supply] .stock li').first().waitFor();
    assert.deepEqual(await tableau.locator('[data-supply] .stock').first().locator('li b').evaluateAll((all) => all.map((b) => Number.parseInt(b.textContent, 10))), favours);
    assert.equal(await tableau.locator('button:enabled').count(), 0, 'nothing can be done in the past');
    await shot(page, `mystica-replay-boards-${size}`);
    assert.deepEqual(await violations(page), []);
    await done(page);
  });
}

test('a ledger of the public server is watched', async (t) => {
  const folder = `${root}../shared/data/mystica-ledgers/`;
  if (!existsSync(folder)) return t.skip('../shared/data is absent');
  const name = readdirSync(folder).find((file) => /^4pLeague_S60.*\.tsv$/.test(file));
  const text = readFileSync(folder + name, 'utf8');
  const page = await open(browser, 'about:blank', {});
  await watch(page, text);
  const shown = (await page.locator('.ledger .leg .num').allInnerTexts()).map(Number).sort((a, b) => a - b);
  assert.deepEqual(shown, finals(text));
  await done(page);
});

/* mystica §2: the tile for spades lies in one of the first four rounds, also
 * after it was given up for another, or another for it. */
async function spadesAreScoredEarly(page) {
  const round = (n) => page.locator(`#mt-score-${n}`);
  const values = () => Promise.all([1, 2, 3, 4, 5, 6].map((n) => round(n).inputValue()));
  for (const n of [1, 2, 3, 4, 5, 6]) assert.equal(await round(n).locator('option[value="SCORE1"]').count(), n < 5 ? 1 : 0, `round ${n}`);
  const before = await values();
  await round(4).selectOption('SCORE1');
  await round(6).selectOption('SCORE3');
  await round(4).selectOption('SCORE3');
  const between = await values();
  assert.equal(between[3], 'SCORE3');
  assert.notEqual(between[5], 'SCORE1', 'it does not go where it may not lie');
  assert.equal(new Set(between).size, 6, 'no tile lies twice');
  for (const n of [4, 6]) await round(n).selectOption(before[n - 1]);
}

test('tiles are chosen by hand, terrains dealt, factions drawn or auctioned', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  const cardsWanted = [1, 2, 4, 8, 10];
  await begin(page, server.url, undefined, async () => {
    await page.locator('#mt-choice').selectOption('dealt');
    await page.locator('#mt-tiles').selectOption('hand');
    await page.locator('#mt-score-1').selectOption('SCORE6');
    await page.locator('#mt-score-2').selectOption('SCORE4');
    const cards = page.locator('fieldset input[type=checkbox]');
    for (let i = 0; i < 10; i++) await cards.nth(i).uncheck();
    for (const i of cardsWanted) await cards.nth(i - 1).check();
    assert.ok(await cards.nth(2).isDisabled(), 'two players have five');
    await spadesAreScoredEarly(page);
  });
  const now = await mine(page);
  assert.deepEqual(now.cards.map((card) => card.id), cardsWanted.map((i) => `BON${i}`));
  assert.deepEqual(now.score.slice(0, 2).map((tile) => tile.id), ['SCORE6', 'SCORE4']);
  await page.locator('[data-faction]').first().waitFor(); /* they come after the scene that asks for them */
  assert.equal(await page.locator('[data-faction]').count(), 6);
  await begin(page, server.url, undefined, () => page.locator('#mt-choice').selectOption('random'));
  await page.waitForFunction(() => globalThis.shownScene?.phase === 'dwell');
  assert.ok((await scene(page)).seats.every((seat) => seat.faction));
  await begin(page, server.url, ['human', 'human'], () => page.locator('#option-auction').selectOption('drawn'));
  await page.waitForFunction(() => globalThis.shownScene?.phase === 'bid');
  const card = page.locator('article').first();
  await card.locator('input[type=number]').fill('3');
  await card.locator('[data-faction]').click();
  const before = await steps(page);
  await page.locator('.buttons .btn.primary').click();
  await played(page, before);
  assert.ok((await scene(page)).lots.some((lot) => lot.bid === 3 && lot.seat === 0));
  await done(page);
});

test('an auction goes to its end: nominated, outbid, paid for', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  await begin(page, server.url, ['human', 'human'], () => page.locator('#option-auction').selectOption('nominated'));
  const commit = async () => {
    const before = await steps(page);
    await page.locator('.buttons .btn.primary').click();
    await played(page, before);
  };
  for (const faction of ['witches', 'nomads']) {
    await mine(page);
    await page.locator(`[data-faction="${faction}"]`).click();
    await commit();
  }
  const bid = async (faction, points, said) => {
    await page.waitForFunction(() => globalThis.shownScene?.phase === 'bid' && document.querySelector('[data-turn="mine"]'));
    const card = page.locator('article', { has: page.locator(`[data-faction="${faction}"]`) });
    await card.getByText(said, { exact: true }).waitFor();
    await card.locator('input[type=number]').fill(String(points));
    await card.locator('[data-faction]').click();
    await page.locator('.buttons .btn.primary', { hasText: `Bid ${points} VP` }).waitFor();
    await page.locator('.prompt').getByText('This is final at once.').waitFor();
    if (points === 5) await shot(page, 'mystica-auction');
    await commit();
  };
  await bid('witches', 3, 'no bid yet');
  assert.deepEqual((await scene(page)).lots.map(({ faction, bid: high, seat }) => [faction, high, seat]), [['witches', 3, 0], ['nomads', -1, -1]]);
  await bid('witches', 5, 'highest bid 3 by Player 1'); // now the first is without a faction
  await bid('nomads', 1, 'no bid yet');
  await page.waitForFunction(() => globalThis.shownScene?.phase === 'dwell');
  const now = await mine(page);
  assert.deepEqual(now.seats.map(({ faction, points }) => [faction, points]), [['nomads', 39], ['witches', 35]]);
  assert.deepEqual(now.order, [1, 0], 'the order of the factions is that of the turns');
  await done(page);
});

test('the guided first game explains itself for two rounds', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  await page.goto(`${server.url}#/new/mystica`);
  await page.locator('.sum svg.board').waitFor();
  await page.getByLabel('Who plays for player 2').selectOption('random');
  await page.getByRole('button', { name: 'Guided first game' }).click();
  await page.locator('[data-lesson="income"]').waitFor();
  const got = page.getByRole('button', { name: 'Got it' });
  await got.click();
  await page.locator('[data-lesson="action"]').waitFor();
  await got.click();
  await page.locator('[data-lesson="spades"]').waitFor();
  await got.click();
  assert.deepEqual(await violations(page), []);
  const told = new Set();
  for (let i = 0; i < 60; i++) {
    const now = await mine(page);
    if (!now || now.round >= 3) break;
    while (await got.isVisible()) {
      told.add(await page.locator('[data-lesson]').getAttribute('data-lesson'));
      await got.click();
    }
    const kinds = ['decline', 'done', 'build', 'pass'];
    const rank = (a) => (kinds.indexOf(a.kind) < 0 ? 9 : kinds.indexOf(a.kind));
    await choose(page, [...now.actions].sort((a, b) => rank(a) - rank(b))[0].text);
  }
  await page.locator('[data-lesson="finish"]').waitFor();
  for (const id of ['power', 'cults', 'passing', 'bonus']) assert.ok(told.has(id), `${id} is not among ${[...told].join(', ')}`);
  await done(page);
});

/* Buttons that are wider than their place: words are longer in some languages. */
const spilt = (page) => page.evaluate(() => [...document.querySelectorAll('.acts button, .acts button *, .foot .btn')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > (one.closest('.acts')?.getBoundingClientRect().right ?? innerWidth) + 1).map((one) => one.textContent.trim()));

for (const [locale, faction, tile, coins] of [['nl-NL', 'Heksen', 'Raven Blunder', '2 munten'], ['sv-SE', 'Häxor', 'Korpnäste', '2 mynt'], ['de-DE', 'Hexen', 'Rabenhorst', '2 Münzen']]) {
  test(`the table speaks ${locale}`, async () => {
    const page = await open(browser, `${server.url}#/new/mystica`, { locale });
    await page.locator('#option-special-landscapes').selectOption('all');
    await page.locator('select.sel').nth(1).selectOption('random');
    await page.locator('.sum .btn.primary').click();
    const card = page.locator('article', { hasText: faction });
    await card.getByText(tile).waitFor();
    /* Amounts are drawn and named, not lettered in English. */
    const letters = (await page.locator('.factions article').allInnerTexts()).filter((text) => /(^|[\s\d])[CW]([\s,]|$)/.test(text));
    assert.deepEqual(letters, []);
    assert.ok(await card.getByRole('img', { name: coins, exact: true }).count(), coins);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await spilt(page), []);
    await done(page);
    const small = await open(browser, `${server.url}#/lesson/mystica`, { locale, size: 'phone' });
    await small.locator('.powers button').first().waitFor();
    assert.ok(await small.locator('.deeds .btn').count() > 3);
    assert.deepEqual(await spilt(small), []);
    await done(small);
  });
}
