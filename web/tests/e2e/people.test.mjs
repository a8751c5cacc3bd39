// Accounts, ratings and lists of the server, in real browsers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { actor, enter, first, menu, play, world } from './online.mjs';
import { done, shot, shots, violations } from './table.mjs';

const w = world();
before(w.begin);
after(w.finish);

const filed = async (page, click) => {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFileSync(await file.path(), 'utf8');
};

test('an account from its making to its end', async () => {
  const page = await w.stranger({ at: `${w.url()}#/account`, locale: 'nl-NL' });
  const form = page.locator('.who');
  await form.getByRole('button', { name: 'Account maken' }).click();
  /* a name that would be markup is none */
  await form.locator('input').first().fill('<b>Carla</b>');
  await form.locator('input[type=password]').fill('een lang wachtwoord');
  await form.locator('button[type=submit]').click();
  await form.getByRole('alert').waitFor();
  await form.locator('input').first().fill('Carla');
  await form.locator('button[type=submit]').click();
  await page.getByText('Je herstelcodes').waitFor();
  const codes = await page.locator('.codes code').allInnerTexts();
  assert.equal(codes.length, 8);
  assert.deepEqual(await violations(page), []);
  await shot(page, 'codes');
  await page.locator('.sure input').check();
  await page.locator('.done').click();
  await page.getByRole('heading', { level: 1, name: 'Carla' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await shot(page, 'account');

  /* a second device, which a new password signs out */
  const other = await w.stranger({ at: `${w.url()}#/account` });
  const sign = async (secret) => {
    await other.locator('.who').getByRole('button', { name: 'Sign in' }).click();
    await other.locator('.who input').first().fill('Carla');
    await other.locator('.who input[type=password]').fill(secret);
    await other.locator('.who button[type=submit]').click();
  };
  await sign('een lang wachtwoord');
  await other.getByRole('heading', { level: 1, name: 'Carla' }).waitFor();

  /* ... or its owner, from the list of devices: it knows at once */
  await page.reload();
  await page.locator('.devices li').nth(1).waitFor();
  assert.match(await page.locator('.devices').innerText(), /Chrome, Linux[^]*Dit apparaat[^]*Chrome, Linux/);
  await page.locator('.devices').getByRole('button', { name: /^Afmelden: / }).click();
  await page.locator('.devices li').nth(1).waitFor({ state: 'detached' });
  await other.locator('.who').waitFor();
  await sign('een lang wachtwoord');
  await other.getByRole('heading', { level: 1, name: 'Carla' }).waitFor();

  const [old, fresh] = [page.getByLabel('Huidig wachtwoord'), page.getByLabel('Nieuw wachtwoord')];
  await old.fill('een lang wachtwoord');
  await fresh.fill('een nieuw wachtwoord');
  await page.locator('form').getByRole('button', { name: 'Wachtwoord wijzigen' }).click();
  await page.locator('.toast').waitFor();
  await other.locator('.who').waitFor();

  /* forgotten: a code sets another one, once */
  await sign('een lang wachtwoord');
  await other.locator('.who').getByRole('alert').waitFor();
  await other.getByRole('button', { name: 'Password forgotten' }).click();
  await other.getByLabel('Recovery code').fill(codes[0]);
  await other.locator('.who input[type=password]').fill('yet another one');
  await other.locator('.who button[type=submit]').click();
  await other.getByRole('heading', { level: 1, name: 'Carla' }).waitFor();
  await page.locator('.who').waitFor();

  /* the feed, what is kept, and the end */
  await other.getByRole('button', { name: 'Make and copy an address' }).click();
  const feed = await other.getByLabel('Feed of your turns').inputValue();
  assert.match(await (await other.request.get(feed)).text(), /<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
  const mine = JSON.parse(await filed(other, () => other.getByRole('button', { name: 'Export my data' }).click()));
  assert.equal(mine.user.name, 'Carla');
  await other.getByRole('button', { name: 'Delete account' }).click();
  await other.locator('dialog input').fill('yet another one');
  await other.locator('dialog').getByRole('button', { name: 'Delete account' }).click();
  await other.locator('.who').waitFor();
  await sign('yet another one');
  await other.locator('.who').getByRole('alert').waitFor();
  for (const one of [page, other]) {
    one.errors = one.errors.filter((text) => !/status of 4\d\d/.test(text)); /* refusals are meant */
    await done(one);
  }
});

test('a rated game: results, ratings, replay by link, download', async () => {
  const both = [await w.person('Ada', { password: 'a long password' }), await w.person('Ben', { password: 'a long password' })];
  const { table } = await w.table(both, { rated: true, title: 'Cup final', pace: 'slow', base: 86400 });
  const first = await actor(both);
  const other = both.find((page) => page !== first);
  const placed = await play(first);
  await play(await actor([other]));
  const guest = await w.person('Gus', { size: 'phone', theme: 'dark' });
  await guest.goto(`${w.url()}#/lobby/running`);
  await guest.getByRole('link', { name: 'Cup final' }).waitFor();
  await menu(other, 'Resign');
  await other.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await first.getByRole('button', { name: 'Play again' }).waitFor();

  /* the game by a link that says where */
  await guest.goto(`${w.url()}#/watch/${table}/1`);
  await guest.getByText(/turn 1 of/).first().waitFor();
  assert.equal(await guest.locator('.log .now').innerText().then((text) => text.includes(placed)), true);
  await guest.keyboard.press('ArrowRight');
  await guest.waitForURL((address) => address.hash === `#/watch/${table}/2`);

  await guest.goto(`${w.url()}#/player/${encodeURIComponent(first.person)}`);
  await guest.locator('.val').waitFor();
  assert.ok(Number.parseInt(await guest.locator('.val').innerText(), 10) > 1500);
  assert.equal(await guest.locator('svg[role=img] polyline').count(), 1);
  await guest.getByRole('link', { name: 'Cup final' }).waitFor();
  assert.deepEqual(await violations(guest), []);
  await shots(guest, 'player');

  /* whom one does not get on with */
  await guest.getByRole('button', { name: 'Report' }).click();
  await guest.locator('dialog textarea').fill('never says hello');
  await guest.getByRole('button', { name: 'Send report' }).click();
  await guest.getByRole('button', { name: 'Block this player' }).click();
  await guest.getByText('You have blocked this player.').waitFor();
  await first.goto(`${w.url()}#/lobby`);
  const { table: open } = await w.ask(first, 'create', { setup: 'game: nova\nseats: 2\n', title: 'Not for Gus' });
  await first.goto(`${w.url()}#/lobby`);
  await first.locator('.cards').getByRole('link', { name: 'Not for Gus' }).waitFor();
  await guest.goto(`${w.url()}#/lobby`);
  await guest.locator('.empty').waitFor();
  await guest.goto(`${w.url()}#/account`);
  await guest.getByRole('button', { name: `Unblock ${first.person}` }).click();
  await guest.getByText('Nobody. You can block').waitFor();
  await guest.goto(`${w.url()}#/lobby`);
  await guest.locator('.cards').getByRole('link', { name: 'Not for Gus' }).waitFor();
  assert.ok(open);

  await guest.goto(`${w.url()}#/lobby/finished`);
  await guest.getByRole('link', { name: 'Cup final' }).waitFor();
  assert.match(await filed(guest, () => guest.locator('.dl').getByRole('link', { name: 'Terra Nova' }).click()), new RegExp(`== ${table} `));
  for (const page of [...both, guest]) await done(page);
});

test('the lobby lists, filters and fills itself; a new table takes everything', async () => {
  const ann = await w.person('Ann');
  await ann.evaluate((text) => new Promise((resolve, reject) => {
    const request = indexedDB.open('terrarium', 2);
    request.onupgradeneeded = () => { for (const [name, options] of [['games', { keyPath: 'id' }], ['boards', { keyPath: 'name' }], ['sealed', undefined]]) request.result.createObjectStore(name, options); };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const put = request.result.transaction('boards', 'readwrite');
      put.objectStore('boards').put({ game: 'nova', name: 'atoll', title: 'Little Atoll', text });
      put.oncomplete = () => { request.result.close(); resolve(); };
    };
  }), readFileSync(new URL('atoll.board', import.meta.url), 'utf8'));
  await ann.goto(`${w.url()}#/new/online`);
  await ann.getByText('Little Atoll').first().click();
  await ann.getByRole('button', { name: /Add a player/ }).click();
  await ann.getByLabel('Who plays for player 3').selectOption('novice');
  await ann.locator('#option-setup').selectOption('random');
  await ann.locator('label.pace', { hasText: 'A move a day' }).click();
  await ann.getByLabel('Time for a turn').fill('12');
  await ann.locator('form.new select').first().selectOption('3600');
  await ann.getByLabel('When time is up').selectOption('resign');
  await ann.getByLabel('Name of the table').fill('Atoll for two and a bot');
  await ann.locator('button[form=new-table]:visible').click();
  await ann.locator('#invite-link').waitFor();
  await ann.locator('.pv svg.board').waitFor();
  for (const text of ['12 h a turn, at most', 'The seat resigns', 'Unrated']) await ann.getByText(text).waitFor();

  const bob = await w.person('Bob');
  const card = bob.locator('.card', { hasText: 'Atoll for two and a bot' });
  await card.getByText('Own board').waitFor();
  for (const [chip, seen] of [['Terra-X', 0], ['Terra Nova', 1], ['Live', 0]]) {
    await bob.locator('.fchip', { hasText: chip }).click();
    await bob.waitForFunction((n) => document.querySelectorAll('li.card').length === n || (n && document.querySelector('li.card')), seen);
  }
  await bob.locator('.fchip', { hasText: 'All games' }).click();
  assert.deepEqual(await violations(bob), []);
  await shot(bob, 'lobby');
  await card.getByRole('button', { name: 'Join' }).click();
  for (const page of [ann, bob]) await enter(page);
  await ann.locator('.players .clock').first().waitFor();
  await bob.goto(`${w.url()}#/lobby`);
  await bob.locator('.yours', { hasText: 'Atoll for two and a bot' }).waitFor();

  /* offers are answered by a rule that the server keeps */
  const { table } = await w.table([ann, bob], { setup: 'game: mystica\nseats: 2\n', title: 'Cults' });
  for (const page of [ann, bob]) await page.getByRole('heading', { level: 1, name: 'Cults' }).waitFor();
  for (const key of ['one', 'two']) {
    const page = await actor([ann, bob]);
    const line = await first(page);
    const { seq } = await w.ask(page, 'watch', { table });
    await w.ask(page, 'play', { table, line, key, seq });
    await page.locator('[data-policy]').waitFor();
  }
  await ann.locator('[data-policy]').selectOption('always');
  await ann.waitForFunction(() => document.querySelector('[data-policy]')?.value === 'always');
  await ann.goto(`${w.url()}#/lobby`);
  await ann.goto(`${w.url()}#/table/${table}`);
  await ann.waitForFunction(() => document.querySelector('[data-policy]')?.value === 'always');
  assert.equal(await bob.locator('[data-policy]').inputValue(), 'ask');
  for (const page of [ann, bob]) await done(page);
});
