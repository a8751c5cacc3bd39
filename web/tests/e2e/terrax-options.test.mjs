// Options and variants of Terra-X at the table: what each shows and asks, from
// positions where it matters; and both ways a game ends by itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { done, launch, open, prompt, root, serve, violations } from './table.mjs';
import { complete, from, imported, refused, scene, start, steps, takeScreen, tap, type } from './terrax.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

const turn = 'seat 1 base 1 green 0 loop - loops 0 used 0';
const under_way = `A:SCA>rCOP>NEB>OTZ B:SCA>gRIG C:- | ${turn}`;
const row = 'open: TUN YEL LAL BOR CHI PET';
const cheques = (page) => page.locator('[data-right=cheque]').click();
const end = (page) => page.locator('[data-deed=end]').click();
const line = async (page) => (await page.locator('.log .acts button').last().textContent()).trim();
const facts = (page) => page.locator('.players').innerText();
const outcome = (page) => page.locator('.actionbar .prompt').innerText();
const pins = (page) => page.locator('[data-board] .view use[href^="#g-pioneer-"]').count();

/** Does something and waits until it has happened. */
async function then(page, deed) {
  const count = await steps(page);
  await deed();
  await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, count);
}

/* A deal that begins with the markers; what is not named lies in the stack. */
const record = readFileSync(`${root}tests/games/terrax/2p-random-a.txg`, 'utf8').trimEnd().split('\n');
const deck = record.filter((one) => /^(hand \d|open|stack):/.test(one)).flatMap((one) => one.replace(/^.*?: /, '').split(' '));
const deal = (...hands) => {
  const open = 'TUN YEL LAL BOR CHI PET'.split(' ');
  return [...hands.map((cards, i) => `hand ${i + 1}: ${cards}`), `open: ${open.join(' ')}`, `stack: ${deck.filter((card) => !open.includes(card) && !hands.join(' ').includes(card)).join(' ')}`].join('\n');
};

const cases = [
  {
    name: 'var_late: a cheque completes a mission that an expedition has left',
    options: { var_late: 'on' }, position: `${under_way}\nhand 1: NEB TAJ\nhand 2: WIE\n${row}`,
    async play(page) {
      await cheques(page);
      await page.getByRole('heading', { name: 'Complete a mission late' }).waitFor();
      assert.deepEqual(await violations(page), []);
      const late = page.locator('dialog section:has(h3:text("late")) [data-card]');
      assert.deepEqual(await late.evaluateAll((all) => all.map((one) => one.dataset.card)), ['NEB'], 'nobody was at the other');
      await then(page, () => late.click());
      const [{ done: own, cheques: left }] = (await scene(page)).seats;
      assert.deepEqual([own, left], [['NEB'], 2]);
      assert.match(await line(page), /^\$ ✓ Nebra/);
    },
  },
  {
    name: 'pass=never: nobody passes who can lay',
    options: {}, position: `${under_way}\nhand 1: TAJ\nhand 2: WIE`,
    async play(page) { assert.equal(await page.locator('[data-deed]').count(), 0); },
  },
  {
    name: 'pass=free: a turn may be passed',
    options: { pass: 'free' }, position: `${under_way}\nhand 1: TAJ\nhand 2: WIE`,
    async play(page) {
      await then(page, () => page.locator('[data-deed=pass]', { hasText: 'Pass' }).click());
      const now = await takeScreen(page);
      assert.deepEqual([now.viewer, now.seats[0].cheques], [1, 3]);
      assert.equal(await line(page), 'Pass');
    },
  },
  {
    name: 'pass=cheque: a whole turn passed is paid',
    options: { pass: 'cheque' }, position: `${under_way}\nhand 1: TAJ\nhand 2: WIE`,
    async play(page) {
      await then(page, () => page.locator('[data-deed=pass]').click());
      const now = await takeScreen(page);
      assert.deepEqual([now.viewer, now.seats[0].cheques], [1, 4]);
      assert.match(await facts(page), /4 cheques/);
    },
  },
  {
    name: 'a marker that cannot be placed is skipped',
    options: { markers: '1', hand: '1' }, given: deal('KIZ', 'WIE'),
    async play(page) {
      await then(page, () => page.locator('[data-deed=mark]', { hasText: 'Skip' }).click());
      const now = await takeScreen(page);
      assert.deepEqual([now.viewer, now.phase, now.seats[0].marks], [1, 'mark', []]);
      assert.equal(await line(page), 'no marker');
      await page.locator('[data-card=WIE]').click({ position: { x: 10, y: 50 } });
      await page.getByRole('button', { name: 'Place marker' }).click();
      assert.equal((await takeScreen(page)).phase, 'turn');
    },
  },
  {
    name: 'cheque_info=hidden: nobody is shown what others have',
    options: { cheque_info: 'hidden' }, position: `${under_way}\nhand 1: TAJ\nhand 2: WIE`,
    async play(page) {
      const now = await scene(page);
      assert.deepEqual(now.seats.map((one) => one.cheques), [3, null]);
      const told = await page.locator('.players .seatrow').allInnerTexts();
      assert.match(told[0], /3 cheques/);
      assert.match(told[1], /cheques hidden/);
      assert.doesNotMatch(told[1], /\d cheque/);
    },
  },
  {
    name: 'swap_marked: a marked mission is given up before all, its marker stays',
    options: { swap_marked: 'on', markers: '1' }, position: `${under_way}\nhand 1: TAJ* GAL\nhand 2: POM\nmarks 1: TAJ\nstack: RAI FUJ`,
    async play(page) {
      await cheques(page);
      await page.locator('dialog [data-card=TAJ]').click();
      await page.getByRole('button', { name: 'Give up Taj Mahal' }).click();
      await page.getByRole('heading', { name: 'Keep one card' }).waitFor();
      await page.locator('dialog [data-card=FUJ]').click();
      await page.getByRole('button', { name: /^Keep (?!one)/ }).click();
      await page.getByRole('heading', { name: 'Keep one card' }).waitFor({ state: 'detached' });
      assert.equal(await pins(page), 1);
      await type(page, 'B>WIE end');
      const now = await takeScreen(page);
      assert.deepEqual([now.viewer, now.seats[0].hand, now.seats[0].cards], [1, [], 2]);
      assert.equal(await pins(page), 1, 'the marker stays on the map');
      assert.ok((await page.locator('.log .acts').allTextContents()).join().includes('gives up Taj Mahal'), 'the card was known');
      assert.ok(!(await page.locator('.log .acts').allTextContents()).join().includes('Fuji'));
    },
  },
  {
    name: 'last claims: after the end everybody is asked once, whatever they hold',
    options: { claims: 'manual', max_rounds: '1' }, position: `A:SCA>rCOP>NEB B:SCA>gRIG C:- | seat 2 base 0 green 0 loop - loops 0 used 0\nhand 1: NEB TAJ\nhand 2: WIE RAI`,
    async play(page) {
      await then(page, () => end(page));
      for (const [viewer, right, wrong] of [[0, 'NEB', 'TAJ'], [1, null, 'WIE']]) {
        const now = await takeScreen(page);
        assert.deepEqual([now.viewer, now.phase], [viewer, 'claims']);
        assert.match(await prompt(page), /Complete what you can, then finish/);
        await complete(page, wrong);
        await refused(page);
        if (right) {
          await complete(page, right);
          await page.waitForFunction((card) => globalThis.shownScene.seats[0].done.includes(card), right);
          if (await page.locator('.curtain').count()) await takeScreen(page);
        }
        await end(page);
      }
      await page.locator('#tx-final').waitFor();
      assert.match(await outcome(page), /The last round was played/);
      assert.deepEqual((await scene(page)).seats.map((one) => one.points), [0, -2]);
    },
  },
  {
    name: 'the last card: the round is played to its end',
    options: {}, position: `A:SCA>rCOP B:SCA>gRIG C:- | ${turn}\nhand 1: NEB\nhand 2: WIE TAJ\n${row}`,
    async play(page) {
      await type(page, 'A>NEB');
      assert.match(await page.locator('body').innerText(), /Last round · \d+ cards left/);
      assert.equal(await page.locator('.hand').count(), 0, 'no card is left');
      await end(page);
      assert.equal((await takeScreen(page)).viewer, 1);
      await type(page, 'B>WIE');
      await end(page);
      await page.locator('#tx-final').waitFor();
      assert.match(await outcome(page), /A hand was empty, and the round was finished/);
      assert.deepEqual((await scene(page)).seats.map((one) => one.points), [1, 0]);
    },
  },
];

for (const { name, options, position, given, play } of cases)
  test(name, async () => {
    const lines = Object.entries(options).map(([option, value]) => `option ${option}: ${value}\n`).join('');
    const page = given ? await imported(browser, server.url, `game: terrax\nseats: 2\n${lines}${given}\n`) : await from(browser, server.url, position, lines);
    await play(page);
    assert.deepEqual(await violations(page), []);
    await done(page);
  });

test('the last arrow of all ends the game at once', async () => {
  const all = record;
  assert.match(all.at(-1), /end:arrows/);
  const [last] = all.at(-2).match(/\S+$/);
  const page = await imported(browser, server.url, `${[...all.slice(0, -2), all.at(-2).slice(0, -last.length).trimEnd()].join('\n')}\n`);
  assert.equal((await scene(page)).colours.reduce((sum, { supply }) => sum + supply, 0), 1);
  await type(page, last);
  await page.locator('#tx-final').waitFor();
  assert.match(await outcome(page), /The last arrow was laid/);
  assert.equal((await scene(page)).seats.map((one, i) => `${i + 1}:${one.points}`).join(' '), all.at(-1).match(/\d:-?\d+/g).join(' '));
  await done(page);
});

test('var_dealt: five marked cards each from the start, and no marker phase', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'human'], { var_dealt: 'on' });
  const now = await takeScreen(page);
  assert.deepEqual([now.phase, now.seats.map((one) => one.marks.length), now.seats.map((one) => one.hand.length)], ['turn', [5, 5], [12, 5]]);
  assert.equal(await pins(page), 10);
  assert.equal(await page.locator('.hand [data-card]').count(), 12);
  assert.deepEqual(await violations(page), []);
  await done(page);
});

test('var_choose: markers go to any place, which then is a card; no exchange, no points for markers', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'human'], { var_choose: 'on', mark_min: '1' });
  let now = await takeScreen(page);
  assert.ok(now.actions.length > 70, 'any place far enough');
  assert.match(await page.locator('.prompt').innerText(), /Choose a mission and mark it \(1 of 10\)\s+Any free one at least 1 leg from the start; you get its card\. Markers do not count\./);
  assert.equal(await page.locator('.hand').count(), 0, 'no hand is dealt');
  for (let i = 0; i < 20; i++) {
    if (i % 2) await then(page, () => type(page, now.actions[3 * i % now.actions.length].text));
    else {
      await page.locator('[data-board]').focus();
      for (let k = 0; k <= i % 3; k++) await page.keyboard.press('.');
      await page.keyboard.press('Enter');
      await then(page, () => page.getByRole('button', { name: 'Place marker' }).click());
    }
    now = await takeScreen(page);
    assert.equal(now.seats[i % 2].hand.length, Math.floor(i / 2) + 1, 'everybody sees it');
  }
  assert.deepEqual([now.phase, now.seat, now.open.length], ['turn', 0, 6]);
  assert.equal(await page.locator('.hand [data-card]').count(), 10);
  assert.equal(await pins(page), 20);
  await cheques(page);
  await page.getByText('No card can be exchanged now.').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-fold=score] > summary').click();
  const rows = await page.locator('[data-fold=score] .tally tbody tr').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-')))));
  assert.deepEqual(rows, [[0, 0], [0, 0], [-10, -10], [-10, -10]], 'own, open, in hand, total');
  assert.deepEqual(await violations(page), []);
  await done(page);
});
