// Lists, clocks and the signs of one's turn, in real browsers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { actor, enter, play, world } from './online.mjs';
import { done, shots, violations } from './table.mjs';

const w = world();
before(w.begin);
after(w.finish);

const password = 'a long password';
const nova = 'game: nova\nseats: 2\noption board: islet\n';

/** What the list of tables shows, once it is this. */
const shows = (page, ...titles) =>
  page.waitForFunction((wanted) => document.querySelector('.cards:not([role=status]), .empty') && [...document.querySelectorAll('li.card h2')].map((one) => one.textContent).sort().join() === wanted, titles.sort().join());

test('the lobby keeps open, own, running and finished tables apart, and filters', async () => {
  const [ann, bob] = [await w.person('Ann', { password }), await w.person('Bob', { password })];
  const gus = await w.person('Gus');
  const make = (page, title, fields = {}) => w.ask(page, 'create', { setup: nova, title, ...fields });
  const over = await make(ann, 'Over');
  await w.ask(bob, 'join', over);
  await w.ask(bob, 'resign', { table: over.table });
  await w.ask(bob, 'join', await make(ann, 'Running', { pace: 'slow', base: 86400 }));
  const rated = await make(ann, 'Rated cup', { rated: true, pace: 'slow', base: 3 * 86400 });
  await make(bob, 'Live one', { pace: 'fischer', base: 1200, more: 20 });
  await make(bob, 'World tour', { setup: 'game: terrax\nseats: 3\n', bots: ['novice'] });

  const tab = (name) => bob.locator('.tabsrow').getByRole('button', { name, exact: true }).click();
  const chip = (name) => bob.locator('.filters').getByRole('button', { name, exact: true }).click();
  await bob.goto(`${w.url()}#/lobby`);
  await shows(bob, 'Live one', 'Rated cup', 'World tour');
  assert.deepEqual(await violations(bob), []);
  await shots(bob, 'lobby-full');
  for (const [name, address, ...titles] of [
    ['Mine', '#/lobby/mine', 'Running', 'Live one', 'World tour'], ['In play', '#/lobby/running', 'Running'],
    ['Finished', '#/lobby/finished', 'Over'], ['Open', '#/lobby', 'Live one', 'Rated cup', 'World tour'],
  ]) {
    await tab(name);
    await shows(bob, ...titles);
    assert.equal(new URL(bob.url()).hash, address);
    assert.equal(await bob.locator('.tabsrow [aria-pressed=true]').innerText(), name);
  }
  for (const [names, ...titles] of [
    [['Terra Nova'], 'Live one', 'Rated cup'], [['Live'], 'Live one'], [['A move a day'], 'Rated cup'], [['A move a day', 'Rated'], 'Rated cup'],
    [['All games'], 'Live one', 'Rated cup', 'World tour'], [['Terra-X'], 'World tour'], [['Rated']],
  ]) {
    for (const name of names) await chip(name);
    await shows(bob, ...titles);
  }
  await bob.getByText('No table matches').or(bob.locator('.empty')).first().waitFor();
  await chip('All games');
  /* the list follows what others do */
  await make(ann, 'Just opened');
  await shows(bob, 'Live one', 'Rated cup', 'World tour', 'Just opened');

  /* a rated table is not for guests, and says why before anybody sits down */
  await gus.goto(`${w.url()}#/lobby`);
  await shows(gus, 'Live one', 'Rated cup', 'World tour', 'Just opened');
  const cup = gus.locator('li.card', { hasText: 'Rated cup' });
  await cup.getByText('Rated games need an account').waitFor();
  assert.equal(await cup.getByRole('button', { name: 'Join' }).count(), 0);
  await cup.getByRole('link', { name: 'Rated cup' }).click();
  await gus.locator('.room').getByText('Rated games need an account').waitFor();
  assert.equal(await gus.getByRole('button', { name: 'Join' }).count(), 0);
  await gus.getByRole('link', { name: 'Make an account' }).waitFor();
  await assert.rejects(w.ask(gus, 'join', { table: rated.table }), /rated games are for accounts/);

  await bob.goto(`${w.url()}#/table/${rated.table}`);
  await bob.getByRole('button', { name: 'Join', exact: true }).waitFor();
  await bob.locator('.pv svg.board').waitFor();
  await shots(bob, 'room');
  await bob.goto(`${w.url()}#/account`);
  await bob.getByRole('heading', { name: 'Signed in on' }).waitFor();
  await shots(bob, 'account-signed-in');
  for (const page of [ann, bob, gus]) await done(page);
});

const seconds = (text) => text.match(/(\d+):(\d\d)\s*$/).slice(1).reduce((sum, part) => 60 * sum + Number(part), 0);

test('clocks of each kind are set up here, run, and run out', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')];
  const [ann, bob] = both;
  async function made(clock, fields) {
    await ann.goto(`${w.url()}#/new/online`);
    await ann.locator('form.new select').first().selectOption(clock);
    for (const [label, value] of Object.entries(fields)) await ann.getByLabel(label, { exact: true }).fill(value);
    await ann.getByLabel('When time is up').selectOption('resign');
    await ann.locator('button[form=new-table]:visible').click();
    await ann.locator('#invite-link').waitFor();
    await bob.goto(await ann.locator('#invite-link').inputValue());
    await bob.getByRole('button', { name: 'Join', exact: true }).click();
    for (const page of both) await enter(page);
  }
  /* Fischer: a turn gives time back, the clock of the other begins to run */
  await made('fischer', { Minutes: '10', 'Seconds per turn': '600' });
  const mover = await actor(both);
  const running = mover.locator('.players .clock.runs');
  assert.ok(seconds(await running.innerText()) <= 600);
  await mover.waitForFunction(() => /9:\d\d$/.test(document.querySelector('.players .clock.runs').textContent.trim()));
  await play(mover);
  await mover.waitForFunction(() => [...document.querySelectorAll('.players .clock:not(.runs)')].some((one) => /1\d:\d\d$/.test(one.textContent.trim())));
  assert.ok(seconds(await running.innerText()) <= 600);

  /* one time for the whole game, and its end */
  await made('game', { Minutes: '0.05' });
  for (const page of both) {
    await page.locator('.players .clock').first().waitFor();
    await page.getByRole('button', { name: 'Play again' }).waitFor();
  }
  await w.table(both, { pace: 'fischer', base: 2, more: 1, timeout: 'resign' });
  for (const page of both) await page.getByRole('button', { name: 'Play again' }).waitFor();
  for (const page of both) await done(page);
});

test('a turn is heard, notified and shown while nobody looks', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')];
  for (const page of both) {
    await page.context().grantPermissions(['notifications']);
    /* ears on what the browser is asked to do, and a page that can be out of sight */
    await page.addInitScript(() => {
      Object.assign(window, { notes: [], shown: [], away: false });
      window.AudioContext = class extends AudioContext {
        createOscillator() {
          const one = super.createOscillator(), start = one.start.bind(one);
          one.start = (at) => { window.notes.push(one.frequency.value); start(at); };
          return one;
        }
      };
      window.Notification = class extends Notification {
        constructor(title, options) {
          super(title, options);
          window.shown.push(this);
        }
      };
      Object.defineProperty(document, 'hidden', { get: () => window.away });
    });
    await page.goto(`${w.url()}#/settings`);
    await page.reload();
    for (const label of ['Sound when it is your turn', 'Notification when it is your turn']) await page.getByLabel(label).check();
    await page.goto(`${w.url()}#/lobby`);
    await page.locator('.tabsrow').getByRole('button', { name: 'Mine' }).waitFor();
    await page.evaluate(() => { window.away = true; });
  }
  const [ann, bob] = both;
  await w.ask(bob, 'join', await w.ask(ann, 'create', { setup: nova, title: 'Evening game' }));
  const told = (page) => page.waitForFunction(() => window.shown.length === 1).then(() => page);
  const first = await Promise.race(both.map(told));
  const other = both.find((page) => page !== first);
  assert.deepEqual(await first.evaluate(() => [window.shown[0].title, window.shown[0].body, window.notes]), ['Evening game', 'Your turn', [660, 880]]);
  await first.waitForFunction(() => document.title.startsWith('(1) ') && document.querySelector('link[rel=icon]').getAttribute('href') === '/icon-turn.svg');
  assert.deepEqual(await other.evaluate(() => [window.shown.length, window.notes.length, document.title.startsWith('(')]), [0, 0, false]);

  /* the notification leads to the table */
  await first.evaluate(() => { window.away = false; window.shown[0].onclick(); });
  await enter(first);
  /* who looks at another page hears it and reads it there */
  await other.evaluate(() => { window.away = false; });
  await play(await actor([first]));
  await other.locator('.toast', { hasText: 'Your turn: Evening game' }).waitFor();
  assert.deepEqual(await other.evaluate(() => [window.shown.length, window.notes]), [0, [660, 880]]);
  await first.waitForFunction(() => !document.title.startsWith('(') && document.querySelector('link[rel=icon]').getAttribute('href') === '/icon.svg');
  for (const page of both) await done(page);
});

test('while the list of tables is on its way its place is kept', async () => {
  const page = await w.stranger({ at: 'about:blank' });
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void held.then(() => socket.send(message)));
  });
  await page.goto(`${w.url()}#/lobby`);
  await page.locator('.ghost').nth(2).waitFor();
  await page.getByRole('status', { name: 'Setting the table…' }).waitFor();
  assert.equal(await page.locator('.empty, li.card').count(), 0, 'nobody is told that there are no tables');
  assert.deepEqual(await violations(page), []);
  await shots(page, 'lobby-loading');
  release();
  await page.locator('.empty, li.card').first().waitFor();
  assert.equal(await page.locator('.ghost').count(), 0);
  await done(page);
});
