// People on different machines play: real browsers, one server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { position } from './mystica-cases.mjs';
import { actor, atLeast, count, enter, menu, play, type, world } from './online.mjs';
import { done, shot, violations } from './table.mjs';

const w = world();
before(w.begin);
after(w.finish);

test('two guests play by link; a third watches; chat is inert', async () => {
  const ann = await w.stranger();
  assert.deepEqual(await violations(ann), []);
  await shot(ann, 'lobby-empty');
  await ann.locator('.who input').fill('Ann');
  await ann.locator('.who button[type=submit]').click();
  await ann.getByRole('heading', { name: 'Your games together' }).waitFor();
  await ann.locator('.top').getByRole('link', { name: 'New game' }).click();
  const title = '<img src=x onerror="window.hacked=1">';
  await ann.locator('form.new input').first().fill(title);
  assert.deepEqual(await violations(ann), []);
  await shot(ann, 'new-online');
  await ann.locator('button[form=new-table]:visible').click();
  const link = await ann.locator('#invite-link').inputValue();
  assert.equal(await ann.evaluate(() => navigator.clipboard.readText()), link);
  await ann.locator('.pv svg.board').waitFor();
  assert.deepEqual(await violations(ann), []);
  await shot(ann, 'waiting-room');

  /* the invited comes by the link, with nothing but a name */
  const bob = await w.stranger({ at: link, size: 'phone' });
  await bob.locator('.who input').fill('Bob');
  await bob.locator('.who button[type=submit]').click();
  await bob.getByRole('button', { name: 'Join', exact: true }).click();
  const both = [ann, bob];
  for (const page of both) await enter(page);
  assert.equal(await ann.locator('.gtitle h1').innerText(), title);
  const first = await actor(both);
  await play(first);
  for (const page of both) await atLeast(page, 1);

  const eve = await w.person('Eve');
  await eve.goto(link.split('/').slice(0, -1).join('/'));
  await enter(eve);
  await atLeast(eve, 1);
  await eve.getByText('You watch').waitFor();
  assert.equal(await eve.locator('.actionbar[data-turn=mine]').count(), 0);
  assert.deepEqual(await violations(eve), []);
  await shot(eve, 'spectator');

  /* players and spectators talk apart, and nothing said is more than text */
  const say = async (page, text) => {
    await page.getByLabel('Say something').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const words = '<img src=x onerror="window.hacked=1"> & hello';
  await say(ann, words);
  await bob.locator('.tabs').getByRole('button', { name: 'Players' }).click();
  await bob.locator('.lines', { hasText: words }).waitFor();
  await say(eve, 'only for us');
  await eve.locator('.lines', { hasText: 'only for us' }).waitFor();
  assert.equal(await eve.locator('.lines', { hasText: 'hello' }).count(), 0);
  assert.equal(await bob.locator('.lines', { hasText: 'only for us' }).count(), 0);
  for (const page of [ann, bob, eve]) {
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('.lines img, h1 img, h2 img').count(), 0);
  }
  /* who is muted is not read */
  await bob.locator('.lines .by').click();
  await bob.getByRole('button', { name: 'Mute Ann' }).click();
  await bob.getByText('1 line muted').waitFor();
  assert.equal(await bob.locator('.lines', { hasText: 'hello' }).count(), 0);

  /* a private note stays, and stays private */
  await ann.getByRole('button', { name: 'My note' }).click();
  await ann.locator('.online textarea').fill('my secret plan');
  await ann.getByRole('button', { name: 'Keep', exact: true }).click();
  await ann.waitForFunction(() => document.querySelector('.online .btn[disabled]'));
  await ann.reload();
  await enter(ann);
  await ann.getByRole('button', { name: 'My note' }).click();
  await ann.waitForFunction(() => document.querySelector('.online textarea')?.value === 'my secret plan');
  await bob.getByRole('button', { name: 'My note' }).click();
  assert.equal(await bob.locator('.online textarea').inputValue(), '');
  for (const page of [ann, bob, eve]) await done(page);
});

test('three play: a take-back by agreement, a resignation, a drop-out, once more', async () => {
  const all = [await w.person('Ann'), await w.person('Bob'), await w.person('Cid')];
  await w.table(all);
  const first = await actor(all);
  const [second, third] = all.filter((page) => page !== first);
  await play(first);
  for (const page of all) await atLeast(page, 1);
  await menu(first, 'Ask to take back');
  await second.getByText(`${first.person} asks to take back the last turn.`).waitFor();
  await second.getByRole('button', { name: 'Allow it' }).click();
  await third.getByText(`Agreed: ${second.person}`).waitFor();
  await third.getByRole('button', { name: 'Allow it' }).click();
  for (const page of all) await page.waitForFunction(() => document.querySelectorAll('.log .acts button').length === 0);

  /* one resigns, the others play on; then one leaves and a bot sits down */
  await menu(first, 'Resign');
  await first.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  const next = await actor([second, third]);
  const left = next === second ? third : second;
  await play(next);
  await atLeast(left, 1);
  await menu(left, 'Leave; a bot plays on');
  await left.locator('dialog').getByRole('button', { name: 'Leave; a bot plays on' }).click();
  await next.getByText(`${left.person} left; a bot plays on`).waitFor();
  await play(await actor([next]));
  await menu(next, 'Resign');
  await next.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await next.getByRole('button', { name: 'Play again' }).click();
  await next.locator('.room').waitFor();
  await first.getByRole('button', { name: 'Play again' }).click();
  await first.waitForFunction((address) => location.href === address, next.url());
  for (const page of all) await done(page);
});

test('the network goes and comes, the server is killed and comes back', async () => {
  const wire = await w.wire();
  const ann = await w.person('Ann', { base: wire.url }), bob = await w.person('Bob');
  const both = [ann, bob];
  await w.table(both);
  await play(await actor(both));
  for (const page of both) await atLeast(page, 1);

  /* cut: what happens meanwhile is told on return, and nothing twice */
  wire.cut();
  await ann.getByText('No connection').waitFor();
  if (await bob.locator('.actionbar[data-turn=mine]').isVisible()) {
    await play(bob);
    await atLeast(bob, 2);
  }
  const meanwhile = await count(bob);
  wire.mend();
  await ann.getByText('No connection').waitFor({ state: 'detached' });
  await atLeast(ann, meanwhile);
  assert.equal(await count(ann), meanwhile);

  await bob.context().setOffline(true);
  await bob.getByText('No connection').waitFor();
  await bob.context().setOffline(false);
  await bob.getByText('No connection').waitFor({ state: 'detached' });

  await w.end('SIGKILL');
  for (const page of both) await page.getByText('No connection').waitFor();
  await w.start();
  const at = performance.now();
  for (const page of both) await page.getByText('No connection').waitFor({ state: 'detached' });
  console.log(`# both were back ${Math.round(performance.now() - at)} ms after the restart`);
  assert.equal(await count(ann), meanwhile);
  await play(await actor(both));
  for (const page of both) {
    await atLeast(page, meanwhile + 1);
    page.errors = page.errors.filter((text) => !/WebSocket|ERR_/.test(text));
    await done(page);
  }
  await wire.close();
});

test('a clock runs out', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')];
  await w.table(both, { pace: 'move', base: 2, timeout: 'resign' });
  for (const page of both) {
    await page.locator('.players .clock').first().waitFor();
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    await done(page);
  }
});

test('a turn is planned in private and played from there', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')];
  const { table } = await w.table(both);
  const first = await actor(both);
  const other = both.find((page) => page !== first);
  await menu(first, 'Plan in private');
  await first.locator('.plan').waitFor();
  assert.equal(await first.getByRole('button', { name: 'Play this turn' }).isEnabled(), false);
  const text = await play(first);
  await first.getByText(`Your turn: ${text}`).waitFor();
  assert.equal(await count(other), 0);
  assert.deepEqual(await violations(first), []);
  await shot(first, 'plan');
  await first.getByRole('button', { name: 'Play this turn' }).click();
  await first.waitForURL((address) => address.hash === `#/table/${table}`);
  for (const page of both) await atLeast(page, 1);

  /* hidden cards: the plan stands on what this seat may see */
  const { table: x } = await w.table(both, { setup: 'game: terrax\nseats: 2\n' });
  const mover = await actor(both);
  await menu(mover, 'Plan in private');
  await mover.locator('.plan').waitFor();
  const leg = await play(mover);
  await mover.getByText(`Your turn: ${leg}`).waitFor();
  assert.equal(await mover.locator('.curtain').count(), 0);
  await mover.getByRole('button', { name: 'Play this turn' }).click();
  await mover.waitForURL((address) => address.hash === `#/table/${x}`);
  await atLeast(mover, 1);
  for (const page of both) await done(page);
});

test('Terra Mystica together: planned, played, power offered, taken, taken back and refused by rule', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')], eve = await w.person('Eve');
  const setup = position({ faction: 'halflings', home: 'brown brown', build: ['D E6 F5', 'TP D8'] })
    .replace('build 2 D I4', 'build 2 D D5 E4').replace('bowls 4/4/4', 'bowls 6/4/2');
  const { table } = await w.table(both, { setup });
  await eve.goto(`${eve.base}#/table/${table}`);
  const first = await actor(both);
  const other = both.find((page) => page !== first);
  const logged = (n, pages = [...both, eve]) => Promise.all(pages.map((page) => page.waitForFunction((wanted) => document.querySelectorAll('.log .acts button').length === wanted, n)));

  /* a whole turn in private: nobody hears of it before it is played */
  await menu(first, 'Plan in private');
  await first.locator('.plan').waitFor();
  await type(first, 'dig 2. build D4');
  await logged(3, [first]);
  assert.equal(await first.getByRole('button', { name: 'Play this turn' }).isEnabled(), false, 'the turn has no end yet');
  await type(first, 'done');
  await first.getByText('Your turn: dig 2; transform D4 to brown; build D4; done').waitFor();
  await logged(0, [other, eve]);
  await first.getByRole('button', { name: 'Play this turn' }).click();
  await first.waitForURL((address) => address.hash === `#/table/${table}`);
  await logged(4);

  /* the offer is answered there and seen here; agreed, it is taken back */
  const power = (page, bowls) => page.locator('.aside details.other:not(.self) .r-PW', { hasText: bowls }).waitFor(); // below the edge: a little later
  const take = other.locator('[data-deed="leech"]');
  assert.match(await take.innerText(), /Take 1 power/);
  await power(first, '6/4/2');
  await take.click();
  await logged(5);
  await power(first, '5/5/2');
  await menu(other, 'Ask to take back');
  await first.getByRole('button', { name: 'Allow it' }).click();
  await logged(4);
  await power(first, '6/4/2');
  await other.locator('[data-policy]').selectOption('never');
  await logged(5);
  await power(first, '6/4/2');

  /* a step is undone before anybody hears of it */
  await other.locator('[data-power="ACT4"]').click();
  await other.locator('.buttons .btn.primary').click();
  await logged(7, [other]); /* it burns 2 first */
  await logged(5, [first, eve]);
  const press = (name) => other.getByRole('button', { name }).click();
  await press('Undo');
  await logged(6, [other]); /* and that is a step of its own */
  await press('Redo');
  await logged(7, [other]);
  await press('Undo');
  await logged(6, [other]);
  await press('Undo');
  await logged(5);

  /* nothing is hidden: everybody has the same record and the same scene */
  const told = await Promise.all([first, other, eve].map(async (page) => {
    const { scene: { seats, cards, cells } } = await w.ask(page, 'scene', { table, count: 5 });
    return { seats, cards, cells, record: (await w.ask(page, 'record', { table })).text };
  }));
  assert.match(told[0].record, /build D4/);
  for (const one of told) assert.deepEqual(one, told[0]);
  for (const page of [...both, eve]) await done(page);
});

test('whose turn it is shows everywhere, N goes there, and words change', async () => {
  const both = [await w.person('Ann'), await w.person('Bob')];
  const one = await w.table(both), two = await w.table(both, { title: 'Second table' });
  for (const page of both) await enter(page);
  const [ann, bob] = both;
  const asked = async (page) => (await w.ask(page, 'hello')).waiting;
  /* somebody is asked at both tables, or each at one */
  for (const page of both) {
    const n = await asked(page);
    await page.goto(`${page.base}#/learn`);
    await page.waitForFunction((waiting) => (waiting ? document.title.startsWith(`(${waiting}) `) : !/^\(/.test(document.title)), n);
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), n ? '/icon-turn.svg' : '/icon.svg');
  }
  const page = (await asked(ann)) ? ann : bob;
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await page.waitForURL((address) => [one.table, two.table].some((id) => address.hash === `#/table/${id}`));
  await page.locator('.actionbar[data-turn=mine]').waitFor();
  const place = page.url();
  await play(page);
  await atLeast(page, 1);

  /* another language in the middle of a game: the seat and the table stay */
  await page.goto(`${page.base}#/settings`);
  await page.locator('select').first().selectOption('nl');
  await page.getByRole('heading', { name: 'Instellingen' }).waitFor();
  await page.goto(place);
  await enter(page);
  await page.getByLabel('Zeg iets').waitFor();
  await atLeast(page, 1);
  for (const each of both) await done(each);
});
