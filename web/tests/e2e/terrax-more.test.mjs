// Terra-X on a map of one's own, missions claimed out of turn, and what is sent
// to whom when people sit at different machines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes, done, launch, open, openTyping, prompt, root, serve, shot, sizes, violations } from './table.mjs';
import { complete, from, leaksIn, look, looksIn, refused, replayed, scene, start, steps, takeScreen, tap, type } from './terrax.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* A harbour, six villages around it, and groves behind: every mission lies
 * within three legs, so that one turn with two cheques reaches any of them. */
const ring = (index, of, radius) => [900 + radius * 1.6 * Math.cos((2 * Math.PI * index) / of), 470 + radius * Math.sin((2 * Math.PI * index) / of)].map(Math.round);
const spots = Array.from({ length: 79 }, (_, i) => {
  const [at, of, radius, parent] = i < 6 ? [i, 6, 120, -1] : i < 42 ? [i - 6, 36, 250, Math.floor((i - 6) / 6)] : [i - 42, 37, 420, Math.min(41, i - 36)];
  const id = `Q${String.fromCharCode(65 + Math.floor(i / 26))}${String.fromCharCode(65 + (i % 26))}`;
  return { id, at: ring(at, of, radius), parent };
});
const legs = [
  ...spots.map(({ id, parent }, i) => [parent < 0 ? 'HUB' : spots[parent].id, id, parent < 0 ? i + 1 : '-']),
  ...spots.slice(42).map(({ id }, i, outer) => [id, outer[(i + 1) % outer.length].id, '-']),
];
const isle = ['map isle', 'places', 'id kind continent lat lon x y pair name_en name_nl name_sv name_de text_en text_nl text_sv'.replaceAll(' ', '\t'),
  ['HUB', 'start', '-', 0, 0, 900, 470, '-', 'Harbour', 'Haven', 'Hamn', 'Hafen', '-', '-', '-'].join('\t'),
  ...spots.map(({ id, at }) => [id, 'mission', 'europe', 0, 0, ...at, '-', `Grove ${id}`, `Bosje ${id}`, `Dunge ${id}`, `Hain ${id}`, 'Trees.', 'Bomen.', 'Träd.'].join('\t')),
  'legs', 'leg\ta\tb\tstart_no', ...legs.map((leg, i) => [i + 1, ...leg].join('\t')), ''].join('\n');

/* The arrows of amber from the harbour to a place. */
function way(card) {
  const path = [];
  for (let i = spots.findIndex(({ id }) => id === card); i >= 0; i = spots[i].parent) path.unshift(spots[i].id);
  return path.map((id, i) => `${i ? '$' : ''}A>${id}`).join(' ');
}

/* Gives the new-game page a map; what is faulty is named first. */
async function ownMap(page) {
  await page.getByRole('button', { name: 'Own board' }).click();
  const box = page.getByLabel('Text of the board file');
  await box.fill(isle.replace('\tQAC\t', '\tQXX\t'));
  await page.getByText('This board cannot be used').waitFor();
  assert.match(await page.locator('dialog .wrong').innerText(), /Line \d+/);
  await box.fill(isle);
  await page.locator('dialog svg.board').waitFor();
  assert.deepEqual(await violations(page), [], 'the map dialog');
  await page.getByRole('button', { name: 'Use this board' }).click();
  await page.locator('.boards .on', { hasText: 'isle' }).waitFor();
}

const manual = { claims: 'manual', hand: '5', markers: '0', open_min: '0' };

test('a map of one\'s own is checked and played; others claim their missions out of turn', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'human'], { ...manual, var_openhands: 'on' }, ownMap);
  let now = await takeScreen(page);
  assert.deepEqual([now.map.name, now.map.own, now.viewer], ['isle', true, 0]);
  assert.equal(await page.locator('[data-board] [id$="-land"]').count(), 0, 'no coast of another world under it');
  const [card] = now.seats[1].hand;
  await type(page, way(card));
  now = await scene(page);
  assert.deepEqual(now.seats[1].done, [], 'nothing is completed by itself');
  await shot(page, 'terrax-own-map');

  /* The second player speaks up, takes the screen, looks, and gives it back. */
  await page.locator('[data-claim="1"]').click();
  await page.locator('.curtain').waitFor();
  now = await takeScreen(page);
  assert.deepEqual([now.viewer, now.seat], [1, 0]);
  assert.match(await prompt(page), /Which mission do you complete\?/);
  assert.deepEqual(await violations(page), [], 'a claim out of turn');
  await shot(page, 'terrax-claim');
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled(), 'the arrow of another is not taken back');
  await page.locator('[data-release]').click();
  await page.locator('.curtain').waitFor();
  now = await takeScreen(page);
  assert.equal(now.viewer, 0);

  /* Again: a wrong card is refused by the rule, the right one completed; the
   * turn goes on. */
  await page.locator('[data-claim="1"]').click();
  await takeScreen(page);
  await complete(page, now.seats[1].hand.find((one) => one !== card));
  await refused(page);
  await complete(page, card);
  await page.locator('.curtain').waitFor();
  now = await takeScreen(page);
  assert.deepEqual([now.viewer, now.seat, now.seats[1].done], [0, 0, [card]]);
  await page.locator('[data-deed=end]').click();
  now = await takeScreen(page);
  assert.equal(now.viewer, 1);

  /* The map travels inside the match. */
  await page.evaluate(() => { globalThis.shownScene = null; });
  await page.reload();
  now = await takeScreen(page);
  assert.equal(now.map.name, 'isle');
  await done(page);
});

test('bots stop when a person speaks, not when there is something to say', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'novice'], manual, ownMap);
  await page.waitForFunction(() => globalThis.shownScene?.actions.length);
  const [card] = (await scene(page)).seats[0].hand;
  await type(page, way(card));
  await page.locator('[data-deed=end]').click();
  /* Nothing asks; the button is there as at any other time of another's turn. */
  await page.locator('[data-claim="0"]', { hasText: 'I complete a mission' }).click();
  await page.locator('[data-release]').waitFor();
  const now = await scene(page);
  assert.deepEqual([now.viewer, now.seat], [0, 1]);
  const count = await steps(page);
  await sleep(3500); /* longer than bots leave for a word */
  assert.equal(await steps(page), count, 'they wait for who speaks');
  await complete(page, now.seats[0].hand.find((one) => one !== card));
  await refused(page);
  await complete(page, card);
  await page.waitForFunction((one) => globalThis.shownScene.seats[0].done.includes(one), card);
  const asked = () => page.waitForFunction(() => globalThis.shownScene.seat === 0 && globalThis.shownScene.rights.base > 0, null, { timeout: 60_000 });
  await asked();

  /* A mission of one's own that nobody speaks of holds nobody up. */
  const arrow = (await scene(page)).actions.find(({ kind }) => kind === 'base');
  await type(page, arrow.text);
  await page.locator('[data-deed=end]').click();
  await page.locator('[data-claim="0"]').waitFor();
  await asked();
  await done(page);
});

test('a bot completes its mission in the turn of another', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'novice'], { ...manual, var_openhands: 'on' }, ownMap);
  await page.waitForFunction(() => globalThis.shownScene?.actions.length);
  const [card] = (await scene(page)).seats[1].hand;
  await type(page, way(card));
  await page.waitForFunction((one) => globalThis.shownScene.seats[1].done.includes(one), card);
  assert.equal((await scene(page)).seat, 0, 'the turn goes on');
  await page.getByRole('button', { name: 'Undo', disabled: true }).waitFor(); /* what was said stays said */
  await done(page);
});

/* All the table shows of what can be done: words, buttons, the list of actions,
 * the order and words of the hand, and every shape on the map; but not where
 * they lie nor which cards they are. */
async function appearance(page, card) {
  await openTyping(page);
  return page.evaluate((one) => {
    const plain = (text) => text.replaceAll(one.name, 'X').replaceAll(one.id, 'X');
    const all = (what, read) => [...document.querySelectorAll(what)].map(read);
    return {
      bar: plain(document.querySelector('.actionbar').innerText),
      buttons: all('.actionbar button', (node) => plain(`${node.textContent.trim()} ${node.disabled} ${node.className}`)),
      list: all('.typing option', (node) => node.value.replace(`$x${one.id}`, '$xX')).sort(),
      cards: all('.hand .mcard', (node) => plain(`${node.className} ${node.textContent}`)).sort(),
      map: all('[data-board] .view :is(circle, path, rect, use, text):not(.names *, defs *)', (node) => [node.tagName, node.hasAttribute('stroke-dasharray'), ...['fill', 'stroke', 'opacity', 'href'].map((name) => node.getAttribute(name))].join().replace(/#c\d+-/, '#')).sort(),
    };
  }, card);
}

test('with manual claims the table looks the same whether a mission can be claimed or not', async () => {
  /* Amber stands on Nebra.  Ötzi is as good a card, but nobody is there. */
  const seen = [];
  for (const card of ['NEB', 'OTZ']) {
    const other = ['NEB', 'OTZ'].find((one) => one !== card);
    const page = await from(browser, server.url, `A:SCA>rCOP>NEB B:SCA>gRIG C:- | seat 1 base 1 green 0 loop - loops 0 used 0\nhand 1: ${card} TAJ FUJ\nhand 2: ${card === 'NEB' ? 'WIE' : 'POM'} RAI GAL\nopen: TUN YEL LAL BOR CHI PET\nstack: ${other} DEL`, 'option claims: manual\n');
    const now = await scene(page);
    assert.equal(now.actions.some(({ kind }) => kind === 'claim'), card === 'NEB');
    const { name } = now.map.places.find(({ id }) => id === card);
    const words = { id: card, name: name.en };
    const looks = { turn: await appearance(page, words) };
    await page.locator('main').focus();
    await page.keyboard.press('h');
    await page.locator('.hints li').first().waitFor();
    assert.deepEqual((await page.locator('.hints button').evaluateAll((all) => all.map((one) => one.dataset.hint))).filter((text) => text.startsWith('!')), [], 'advice');
    await page.keyboard.press('h');
    await page.locator(`.hand [data-card=${card}]`).click({ position: { x: 10, y: 50 } });
    await page.getByRole('button', { name: 'Complete mission' }).waitFor();
    looks.chosen = await appearance(page, words);
    await page.keyboard.press('Escape');

    /* The same for the player whose turn it is not. */
    await type(page, 'B>WIE end');
    await takeScreen(page);
    await page.locator('[data-claim="0"]').click();
    await takeScreen(page);
    looks.claiming = await appearance(page, words);
    await complete(page, card);
    if (card === 'NEB') await page.locator('.curtain').waitFor();
    else await refused(page);
    seen.push(looks);
    await done(page);
  }
  assert.match(seen[0].claiming.bar, /Which mission do you complete\?/);
  assert.deepEqual(seen[1], seen[0]);
});

/** A player of the server in a browser of its own, which has opened no page yet;
 *  keeps what the socket brings. */
async function online(name) {
  const page = await open(browser, 'about:blank', { chance: 0 }); /* plays have keys of their own */
  page.frames = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => page.frames.push(String(payload))));
  page.ask = async (command, data) => (await page.request.post(`${server.url}api/${command}`, { data, headers: { origin: new URL(server.url).origin } })).json();
  assert.ok((await page.ask('guest', { name })).ok, `somebody else is ${name}`);
  return page;
}

async function visit(people, table) {
  for (const page of people) {
    await page.goto(`${server.url}#/table/${table}`);
    await page.locator('[data-board]').waitFor();
  }
}

/* The frames of a player up to the end, as the eyes of terrax.mjs read them. */
function heard(page, seat) {
  const list = [];
  let count = 0;
  for (const frame of page.frames) {
    const message = JSON.parse(frame);
    const value = message.event === 'table' ? message : (message.ok ?? message);
    if (value.status?.over) break;
    if (value.viewer !== undefined) assert.equal(value.viewer, seat);
    count = value.status?.count ?? count;
    list.push({ what: message.event ?? (value.final === undefined ? 'reply' : 'try'), viewer: seat, count, value });
  }
  return list;
}

/** Two people at a table of the small map with manual claims, and who begins. */
async function claiming(...names) {
  const people = await Promise.all(names.map(online));
  const setup = `game: terrax\nseats: 2\n${Object.entries(manual).map(([name, value]) => `option ${name}: ${value}\n`).join('')}map:\n${isle.trimEnd().replace(/^/gm, '\t')}\n`;
  const { table } = (await people[0].ask('create', { setup })).ok;
  assert.ok((await people[1].ask('join', { table })).ok);
  await visit(people, table);
  const views = await Promise.all(people.map(async (page) => (await page.ask('watch', { table })).ok));
  const actor = views.findIndex((view) => view.viewer === views[0].status.seat);
  return { people, table, views, actor };
}

test('a mission is claimed out of turn from another machine', async () => {
  const { people, table, views, actor } = await claiming('Cleo', 'Dirk');
  const card = views[1 - actor].scene.seats[views[1 - actor].viewer].hand.find((one) => way(one).includes(' '));
  const bar = (page) => page.locator('.actionbar').evaluate((node) => [...node.querySelectorAll('.prompt, .buttons button')].map((one) => `${one.textContent} ${one.disabled}`));
  await people[1 - actor].locator('[data-claim]', { hasText: 'I complete a mission' }).waitFor();
  const quiet = await bar(people[1 - actor]);
  /* Each step is seen by all before the next, for anybody may have a word to
   * say about it, also if several are typed in one line. */
  await submit(people[actor], way(card));
  const page = people[1 - actor];
  const [hand, arrived] = [views[1 - actor].scene.seats[views[1 - actor].viewer].hand, way(card).split(' ').length];
  await logged(page, arrived);
  const told = page.frames.map((frame) => JSON.parse(frame)).filter(({ event }) => event === 'table').map(({ status }) => status.count);
  assert.deepEqual([...new Set(told)].filter((count) => count > 0), Array.from({ length: arrived }, (_, i) => i + 1), 'one after the other');
  assert.deepEqual(await bar(page), quiet, 'nothing tells that there is something to say');
  assert.equal(await page.locator('[data-turn=mine]').count(), 0);
  await page.locator('[data-claim]').click();
  assert.match(await prompt(page), /Which mission do you complete\?/);
  await complete(page, hand.find((one) => one !== card));
  await refused(page);
  await complete(page, card);
  await page.waitForFunction((one) => !document.querySelector(`.hand [data-card=${one}]`), card);
  const after = (await people[actor].ask('watch', { table })).ok;
  assert.deepEqual(after.scene.seats[views[1 - actor].viewer].done, [card]);
  assert.equal(after.status.seat, views[actor].viewer, 'the turn goes on');
  for (const one of people) await done(one);
});

const submit = async (page, line) => {
  await openTyping(page);
  await page.locator('.typing input').fill(line);
  await page.locator('.typing input').press('Enter');
};
const logged = (page, count) => page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length === n, count);

/* A busy machine needs more time than the others have to speak. */
const patient = (page) => page.evaluate(() => {
  if (window.hasty) return;
  const hasty = window.hasty = window.setTimeout;
  window.setTimeout = (work, ms, ...rest) => hasty(work, ms === 2500 ? 8000 : ms, ...rest);
});

/** Types a line of several steps, of which the first is played, and returns the others. */
async function begin(page, line) {
  await patient(page);
  const before = await steps(page);
  await submit(page, line);
  await logged(page, before + 1);
  await page.waitForFunction(() => document.querySelector('.typing input').value === '');
  return line.split(' ').slice(1);
}

/** What a page says of steps that it does not play, with the reason. */
const unplayed = (page, rest, why) => page.locator('.toast', { hasText: new RegExp(`^\\s*Not played any more: ${rest.join(' ').replaceAll('$', '\\$')}\\.${why}\\s*$`) }).waitFor();

/* A way of three legs through each of three villages. */
const lines = ['A', 'B', 'C'].map((colour, village) => way(spots.find(({ parent }, i) => i >= 42 && spots[parent].parent === village).id).replaceAll('A>', `${colour}>`));

test('the rest of a line outlives what is refused, and gives way to what is played', async () => {
  const { people, actor } = await claiming('Emil', 'Edda');
  const page = people[actor];
  const [, last] = await begin(page, lines[0]);
  await submit(page, 'A>HUB');
  await page.locator('.typing .fault').waitFor();
  await logged(page, 2);
  await submit(page, last);
  await unplayed(page, [last], '');
  await logged(page, 3);
  for (const one of people) await done(one);
});

test('what becomes of the rest of a line is told: refused, too late, left alone', async () => {
  const { people, table, actor } = await claiming('Gerd', 'Hedy');
  const [page, other] = [people[actor], people[1 - actor]];
  /* The same player at another machine. */
  const elsewhere = async (one, line) => {
    const { seq } = (await one.ask('watch', { table })).ok;
    assert.ok((await one.ask('play', { table, line, key: `else${seq}`, seq })).ok, line);
  };
  const rest = await begin(page, lines[0]);
  await elsewhere(page, rest[0]);
  await unplayed(page, rest, ' .+');
  await submit(page, 'end');
  await other.locator('[data-turn=mine]').waitFor();

  const late = await begin(other, lines[1]);
  await elsewhere(other, 'end');
  await unplayed(other, late, '');
  await page.locator('[data-turn=mine]').waitFor();

  const left = await begin(page, lines[2]);
  await page.evaluate(() => { location.hash = '#/settings'; });
  await unplayed(page, left, '');
  for (const one of people) await done(one);
});

test('a turn that is taken back, or left at once, takes the rest of its line along', async () => {
  const { people, table, actor } = await claiming('Ilse', 'Jost');
  const [page, other] = [people[actor], people[1 - actor]];
  const taken = await begin(page, lines[0]);
  assert.ok((await page.ask('takeback', { table })).ok);
  assert.ok((await other.ask('answer', { table, yes: true })).ok);
  await unplayed(page, taken, '');
  await logged(page, 0);

  /* Its first step is still on its way. */
  await openTyping(page);
  await page.locator('.typing input').fill(lines[1]);
  await page.evaluate(() => {
    document.querySelector('.typing input').form.requestSubmit();
    location.hash = '#/settings';
  });
  await unplayed(page, lines[1].split(' ').slice(1), '');
  await logged(other, 1);
  for (const one of people) await done(one);
});

test('neither page nor socket of a player holds another hand', async () => {
  const people = [await online('Ann'), await online('Bo')];
  const made = await people[0].ask('create', { setup: 'game: terrax\nseats: 2\noption hand: 5\noption markers: 2\n' });
  const table = made.ok.table;
  assert.ok((await people[1].ask('join', { table })).ok);
  await visit(people, table);
  const views = await Promise.all(people.map(async (page) => (await page.ask('watch', { table })).ok));
  assert.deepEqual(views.map((view) => view.viewer).sort(), [0, 1]);
  const seats = views.map((view) => view.viewer);
  const looks = [];
  const played = async (count) => {
    for (const one of people) await one.waitForFunction((n) => document.querySelectorAll('.log .acts button').length >= n, count);
    for (const one of people) { const { scene: now } = (await one.ask('watch', { table })).ok; looks.push(await look(one, now, count)); }
  };

  /* Markers, then some arrows, by whoever is asked; each swaps a card, and one
   * of them before the eyes of the other. */
  const swapped = new Set();
  let count = 0;
  for (let i = 0; i < 16; i++) {
    const { status } = (await people[0].ask('watch', { table })).ok;
    const page = people[seats.indexOf(status.seat)];
    const mine = (await page.ask('watch', { table })).ok;
    const { actions } = mine.scene;
    const swap = actions.find((a) => a.kind === 'swap');
    if (swap && i > 8 && !swapped.has(page)) {
      swapped.add(page);
      await page.locator('[data-right=cheque]').click();
      await page.locator(`dialog [data-card=${swap.card}]`).click();
      await page.getByRole('button', { name: /^Give up/ }).click();
      await page.getByRole('heading', { name: 'Keep one card' }).waitFor();
      await played(++count);
      await page.locator('dialog [data-card]').last().click();
      await page.getByRole('button', { name: /^Keep (?!one)/ }).click();
      await page.getByRole('heading', { name: 'Keep one card' }).waitFor({ state: 'detached' });
    }
    const drafted = swapped.has(page) && !((await page.ask('watch', { table })).ok.status.count > count);
    const action = actions.find((a) => a.kind === 'base') ?? actions.find((a) => a.kind === 'end') ?? actions[0];
    if (drafted) {
      /* What was kept waits in the draft: the rest of the turn is typed behind it. */
      const before = await steps(page);
      await submit(page, action.text);
      await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, before);
      if (action.kind !== 'end') await page.locator('[data-deed=end]').click();
      await page.locator('[data-turn=mine]').waitFor({ state: 'detached' });
    } else {
      const { seq } = (await page.ask('watch', { table })).ok;
      const answer = await page.ask('play', { table, line: action.text, key: `k${i}`, seq });
      assert.ok(answer.ok, JSON.stringify(answer.error));
    }
    count = (await page.ask('watch', { table })).ok.status.count;
    await played(count);
  }
  assert.equal(swapped.size, 2);

  /* After the end everybody may know all: what they knew before is searched. */
  await people[0].ask('resign', { table });
  const { status } = (await people[0].ask('watch', { table })).ok;
  assert.ok(status.over);
  const truth = [];
  for (let at = 0; at <= count; at++) truth.push((await people[0].ask('scene', { table, count: at })).ok.scene);
  assert.ok(truth[0].seats.every(({ hand }) => hand.length === 5), 'all hands are known to the eyes');
  for (const [i, page] of people.entries()) {
    const frames = heard(page, seats[i]);
    for (const [what, least] of [['table', 10], ['reply', 0], ['try', 0]]) assert.ok(frames.filter((one) => one.what === what).length > least, what);
    assert.ok(frames.some(({ value }) => value.effects?.length), 'effects');
    assert.deepEqual(leaksIn(frames, truth), []);
    await shot(page, `terrax-online-${i}`);
  }
  assert.deepEqual(looksIn(looks, truth), []);
  for (const page of people) await done(page);
});

/** The record as the page gives it away. */
async function exported(page) {
  await page.getByRole('button', { name: 'Game menu' }).click();
  await page.locator('.drop button').first().click();
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('hand 2:'));
  const text = await page.locator('dialog textarea').inputValue();
  await page.keyboard.press('Escape');
  return text;
}

const full = `${root}tests/games/terrax/maps/full.map`;

test('a table on a map of one\'s own: everybody there has it, and every record', async () => {
  const [fay, gus, hal] = [await online('Fay'), await online('Gus'), await online('Hal')];
  await fay.goto(`${server.url}#/new/terrax`);
  await fay.locator('.sum svg.board').waitFor();
  /* The largest map there may be, as a file; one leg more is refused by its line. */
  await fay.getByRole('button', { name: 'Own board' }).click();
  await fay.getByLabel('Text of the board file').fill(`${readFileSync(full, 'utf8')}X1\tgSAA\tQBC\t-\n`);
  await fay.getByText('This board cannot be used').waitFor();
  assert.match(await fay.locator('dialog .wrong').innerText(), /Line 389\b/);
  await fay.locator('dialog input[type=file]').setInputFiles(full);
  await fay.locator('dialog svg.board').waitFor();
  await fay.getByRole('button', { name: 'Use this board' }).click();
  await fay.locator('.boards .on', { hasText: 'full' }).waitFor();
  await fay.locator('input[type=radio][value=live]').check({ force: true });
  await fay.locator('button[form=new-table]:visible').click();
  await fay.waitForURL(/#\/table\//);
  const table = fay.url().split('/').at(-1);
  assert.ok((await gus.ask('join', { table })).ok);
  const people = [fay, gus];
  await visit([gus, hal], table);
  await fay.locator('[data-board]').waitFor();

  /* The same map for all, with another's cards for nobody. */
  const seen = await Promise.all([...people, hal].map(async (page) => (await page.ask('watch', { table })).ok));
  const seats = seen.map(({ viewer }) => viewer);
  assert.deepEqual([...seats.slice(0, 2)].sort(), [0, 1]);
  for (const [i, { scene: now }] of seen.entries()) {
    assert.deepEqual([now.map.name, now.map.own, now.map.places.length, now.map.legs.length], ['full', true, 128, 255]);
    assert.deepEqual(now.seats.map(({ hand }) => hand.length), [0, 1].map((seat) => (seat === seats[i] ? 12 : 0)));
  }
  assert.equal(await hal.locator('[data-card]').count(), 0, 'a spectator holds no cards');
  assert.equal(await hal.locator('[data-board] [id$="-land"]').count(), 0);
  for (let i = 0; i < 9; i++) {
    const page = people[seats.indexOf((await hal.ask('watch', { table })).ok.status.seat)];
    const mine = (await page.ask('watch', { table })).ok;
    const action = mine.scene.actions.find(({ kind }) => ['mark', 'base'].includes(kind)) ?? mine.scene.actions.find(({ kind }) => kind === 'end');
    assert.ok((await page.ask('play', { table, line: action.text, key: `k${i}`, seq: mine.seq })).ok, action.text);
  }
  for (const page of [...people, hal]) await logged(page, 9);
  await shot(hal, 'terrax-own-online');

  /* Each takes the record home as far as they may know it, the map inside. */
  for (const [i, page] of [...people, hal].entries()) {
    const text = await exported(page);
    assert.ok(text.includes('#|map full\n'));
    for (const seat of [0, 1]) assert.match(text, new RegExp(`^hand ${seat + 1}:( [A-Z]{3}){${seat === seats[i] ? 12 : 4}}${seat === seats[i] ? '' : '( \\?){8}'}$`, 'm'));
    const again = await replayed(browser, server.url, text);
    await again.locator('[data-board]').waitFor();
    assert.equal(await again.locator('[data-board] [id$="-land"]').count(), 0);
    await logged(again, 9);
    /* It is looked at as a spectator would, until its owner takes the screen. */
    if (seats[i] >= 0) {
      assert.notEqual(await exported(again), text);
      await again.getByLabel('Seen by').selectOption(String(seats[i]));
      await again.locator('.curtain .btn.primary').click();
      await again.waitForFunction(() => !document.querySelector('.curtain'));
      await again.locator('[data-board] circle[r="16.500"]').first().waitFor({ state: 'attached' }); /* own missions have a ring */
    }
    assert.equal(await exported(again), text, 'and comes out as it went in');
    await done(again);
  }
  for (const page of [...people, hal]) await done(page);
});

/* Legs from a place to all others over the map, the edge stations being one. */
function legsFrom({ places, legs: all }, place) {
  const of = new Map(places.map((one) => [one.id, one.place]));
  const far = new Map([[place, 0]]);
  for (const here of far.keys())
    for (const { a, b } of all)
      for (const [p, q] of [[of.get(a), of.get(b)], [of.get(b), of.get(a)]]) if (p === here && !far.has(q)) far.set(q, far.get(here) + 1);
  return far;
}

const under_way = `A:SCA>rCOP>NEB B:SCA>gRIG>WIE C:SCA>KIZ | seat 1 base 1 green 1 loop - loops 0 used 1
hand 1: OTZ* TAJ RAI FUJ GAL
hand 2: TRO* POM DEL
marks 1: OTZ
marks 2: TRO NEB+
done 1: WIE
done 2: NEB
won 2: STO
open: TUN YEL LAL BOR CHI PET`;

/* Everything within the drawing that is `what`, by its attributes. */
const drawn = (page, what) => page.locator(`[data-board] .view ${what}`).count();

test('the table tells kinds of places, arrows, next steps, distances, rights and who did what', async () => {
  const page = await from(browser, server.url, under_way);
  let now = await scene(page);
  const [hand, places] = [now.seats[0].hand, now.map.places];

  assert.equal(await page.locator('[data-board] [id$="-land"]').count(), 1, 'the coast');
  /* Places by colour and shape; open missions have a ring and a star. */
  assert.equal(await drawn(page, 'rect[fill="var(--st-red)"]'), 20);
  assert.equal(await drawn(page, 'path[fill="var(--st-green)"]'), 20);
  assert.equal(await drawn(page, 'path[fill="var(--warm)"]'), 6);
  /* Continents by colour and outline: no two have one in common, on the map, in
   * the key, in lists and on cards. */
  const continents = ['europe', 'asia', 'africa', 'namerica', 'samerica', 'oceania'];
  const outlines = await page.locator('[data-board] .view [data-land]').evaluateAll((all) => all.map((one) => [one.dataset.land, one.getAttribute('fill'), one.getAttribute('d')]));
  assert.equal(outlines.length, 79);
  const of = new Map();
  for (const [continent, fill, d] of outlines) {
    assert.equal(fill, `var(--con-${continent})`);
    assert.ok([undefined, continent].includes(of.get(d)), `${of.get(d)} looks like ${continent}`);
    of.set(d, continent);
  }
  for (const continent of continents) assert.equal(outlines.filter(([one]) => one === continent).length, places.filter((one) => one.continent === continent).length, continent);
  const key = await page.locator('.key [data-shape]').evaluateAll((all) => all.map((one) => [one.dataset.shape, one.firstElementChild.getAttribute('d')]));
  assert.deepEqual(key.map(([one]) => one), continents);
  assert.equal(new Set(key.map(([, d]) => d)).size, 6);
  const land = (card) => places.find((one) => one.id === card).continent;
  for (const card of hand) assert.equal(await page.locator(`.hand [data-card=${card}] [data-shape]`).getAttribute('data-shape'), land(card));
  assert.deepEqual(await page.locator('.openlist [data-shape]').evaluateAll((all) => all.map((one) => one.dataset.shape)), now.open.map(land));
  assert.deepEqual(await page.locator('[data-board] .view use[href^="#g-pioneer-"]').evaluateAll((all) => all.map((one) => one.getAttribute('href')).sort()), ['#g-pioneer-peak', '#g-pioneer-star'], 'markers');

  /* Arrows by colour and pattern, their heads at the tip. */
  for (const [letter, pattern, count] of [['a', null, 2], ['b', 'path[stroke="var(--exp-edge)"]:nth-child(5):not([stroke-dasharray])', 2], ['c', 'path[stroke-dasharray^="0.1 "]', 1]]) {
    assert.equal(await drawn(page, `path[stroke="var(--exp-${letter})"]`), count, letter);
    if (pattern) assert.equal(await drawn(page, `g:has(> path[stroke="var(--exp-${letter})"]) > ${pattern}`), count, `the pattern of ${letter}`);
    const points = await page.locator(`[data-board] .view path[fill="var(--exp-${letter})"]`).evaluateAll((all) => all.map((one) => one.getAttribute('d').match(/[\d.]+ [\d.]+/g).map((pair) => pair.split(' ').map(Number))));
    for (const { tail, tip } of now.colours.find((one) => one.colour === letter.toUpperCase()).arrows) {
      const [start, end] = [tail, tip].map((id) => places.find((place) => place.id === id));
      const far = ([x, y], { x: p, y: q }) => Math.hypot(x - p, y - q);
      const [[point, base]] = points.sort(([one], [other]) => far(one, start) + far(one, end) - far(other, start) - far(other, end));
      assert.ok(far(point, end) < far(base, end) && far(point, start) > far(base, start), `${letter} points to ${tip}`);
    }
  }

  /* Legal next arrows: of all colours, with their letters; of one alone. */
  const shown = async () => Object.fromEntries(await page.locator('[data-target]').evaluateAll((all) => all.map((one) => [one.dataset.target, one.textContent.trim()])));
  const legal = (of) => now.actions.filter((a) => a.kind === 'base' && of.includes(a.colour)).reduce((all, { tip, colour }) => ({ ...all, [tip]: (all[tip] ?? '') + colour }), {});
  assert.ok(Object.keys(legal('ABC')).length > 5);
  assert.deepEqual(await shown(), legal('ABC'));
  for (const letter of ['A', 'B', 'C']) {
    await page.locator(`[data-colour=${letter}]`).click();
    assert.deepEqual(Object.keys(await shown()).sort(), Object.keys(legal(letter)).sort(), letter);
    await page.locator(`[data-colour=${letter}]`).click();
  }

  /* Distances of the cards and open missions from the nearest head. */
  const heads = now.colours.map(({ colour, head }) => [colour, legsFrom(now.map, head)]);
  const nearest = (card) => Math.min(...heads.map(([, far]) => far.get(card)));
  const told = (text, card) => { const [, letter, legs] = /^([ABC])\D*(\d+)/.exec(text.replace(/\s+/g, ' ')); assert.deepEqual([Number(legs), new Map(heads).get(letter).get(card)], [nearest(card), nearest(card)], card); };
  for (const card of hand) told(await page.locator(`.hand [data-card=${card}] .d`).evaluate((one) => one.textContent), card);
  const rail = await page.locator('.openlist li').evaluateAll((all) => all.map((one) => [one.querySelector('button span:nth-child(2)').textContent, one.querySelector('.near').textContent]));
  assert.deepEqual(rail.map(([name]) => name), now.open.map((card) => places.find((one) => one.id === card).name.en));
  for (const [i, [, text]] of rail.entries()) told(text, now.open[i]);

  /* A card under the pointer is shown on the map; "find my missions" dims the rest. */
  const fuji = places.find((one) => one.id === 'FUJ');
  const rings = () => page.locator('[data-board] circle[stroke="var(--warm)"]').evaluateAll((all) => all.map((one) => [Number(one.getAttribute('cx')), Number(one.getAttribute('cy'))]));
  assert.deepEqual(await rings(), []);
  await page.locator('.hand [data-card=FUJ]').hover({ position: { x: 10, y: 50 } });
  await becomes(rings, [[fuji.x, fuji.y]]);
  await page.mouse.move(5, 5);
  await becomes(rings, []);
  assert.equal(await drawn(page, 'g[opacity="0.28"]'), 0);
  await page.locator('.find').click();
  assert.equal(await drawn(page, 'g[opacity="0.28"]'), places.length - hand.length - 1);
  assert.deepEqual((await page.locator('[data-board] .names text').allTextContents()).sort(), hand.map((card) => places.find((one) => one.id === card).name.en).sort());
  await page.locator('.find').click();

  /* By keys a place is told with the names of people. */
  await page.keyboard.press('Tab');
  await page.locator('[data-board]').focus();
  await becomes(() => page.locator('[data-live=polite]').innerText(), 'Nebra sky disc, Europe, completed by Player 2, Amber stands here, legal next step of Blue');

  /* Rights: one base arrow, one green, no loop, one cheque of two. */
  const rights = () => page.locator('[data-right]').evaluateAll((all) => all.map((one) => `${one.dataset.right} ${one.classList.contains('used') ? 'used' : 'left'}`));
  assert.deepEqual(await rights(), ['base left', 'green left', 'loop used', 'cheque left']);
  await type(page, 'A>OTZ');
  assert.deepEqual(await rights(), ['base used', 'green left', 'loop used', 'cheque left']);
  await type(page, '$C>rMOS');
  assert.deepEqual(await rights(), ['base used', 'green left', 'loop used', 'cheque used']);

  /* Who completed what, with its marker; and the score so far, by its parts. */
  now = await scene(page);
  await page.locator('[data-fold=score] > summary').click();
  const done_by = await page.locator('[data-fold=score] .done li').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('.one')].map((mission) => mission.querySelector('button span:nth-child(2)').textContent + (mission.querySelector('.vh + *, button ~ .vh') ? '*' : ''))));
  const english = (card) => places.find((one) => one.id === card).name.en;
  assert.deepEqual(done_by, [[`${english('OTZ')}*`, english('WIE')], [`${english('NEB')}*`, english('STO')]]);
  const rows = await page.locator('[data-fold=score] .tally tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-')))));
  assert.deepEqual(rows, [[2, 1], [0, 1], [-4, -3], [1, 1], [0, -1], [-1, -1]]);
  assert.deepEqual(now.seats.map((one) => one.points), [-1, -1]);
  assert.deepEqual(await violations(page), []);
  await shot(page, 'terrax-table');
  await done(page);
});

/* Words that were parted elsewhere than at a blank, a hyphen or a joint; a card
 * that overlaps shows its left part, so all are looked at. */
const broken = () => [...document.querySelectorAll('.mcard b')].flatMap((name) => {
  const text = name.firstChild;
  const top = (i) => {
    const range = document.createRange();
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return [...range.getClientRects()].at(-1)?.top ?? 0;
  };
  const parts = [...text.data].flatMap((letter, i, all) => (i && !/[ \u00ad-]/.test(all[i - 1]) && letter !== ' ' && letter !== '\u00ad' && top(i) > top(i - 1) + 3 ? [`${text.data} before ‘${letter}’`] : []));
  const foot = name.parentElement.querySelector('.d');
  if (foot.scrollWidth > foot.clientWidth || foot.clientHeight > 30) parts.push(`${foot.textContent} takes more than one line`);
  return name.scrollWidth > name.clientWidth ? [...parts, `${text.data} is too wide`] : parts;
});

const longNames = ['VIC NIA GAL ANF XIA BAN OLD AMZ IGU NEB', 'MOG GBR CAR LAS RAI TEO YEL THI WIE ILU', 'MAU GBR ULU LAS RAI TEO YEL THI NAN'];
test('long names of places stand on their cards unbroken', async () => {
  for (const locale of ['nl-NL', 'sv-SE', 'de-DE']) {
    const page = await open(browser, server.url, { locale });
    for (const [i, hand] of longNames.entries()) {
      await page.setViewportSize(sizes.desktop);
      await page.goto(`${server.url}#/import`);
      await page.locator('textarea').fill(`game: terrax\nseats: 2\nstart:\n\tA:SCA>rCOP B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n\thand 1: ${hand}\n\thand 2: TAJ FUJ KNO POM DEL SAM PET PER TON TAN\n`);
      await page.locator('main button.primary').click();
      await page.waitForURL(/#\/replay\//);
      await page.goto(page.url().replace('/replay/', '/play/'));
      await page.locator('.curtain .btn.primary').click();
      await page.locator('.mcard').nth(hand.split(' ').length - 1).waitFor();
      await page.evaluate(() => document.fonts.ready);
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await page.waitForFunction((width) => innerWidth === width, viewport.width);
        if (i === 0) await shot(page, `terrax-names-${locale}-${size}`);
        assert.deepEqual(await page.evaluate(broken), [], `${locale}, ${size}`);
      }
    }
    await done(page);
  }
});

/* What stands beyond the edge of the screen, or is cut off by what holds it. */
const outside = () => [...document.querySelectorAll('.actionbar :is(.chip, .btn)')].flatMap((node) => {
  const { left, right } = node.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && node.scrollWidth <= node.clientWidth ? [] : [`${node.textContent.trim()}: ${left} to ${right}`];
});

test('on a phone all rights and buttons are in sight, whatever the language', async () => {
  for (const locale of ['en-GB', 'nl-NL', 'sv-SE', 'de-DE']) {
    const page = await open(browser, server.url, { size: 'phone', locale });
    await page.goto(`${server.url}#/import`);
    await page.locator('textarea').fill('game: terrax\nseats: 2\nstart:\n\tA:SCA>KIZ B:SCA>gRIG>WIE C:SCA>rCOP>STO>SKA>SCA | seat 1 base 0 green 1 loop C loops 1 used 0\n\thand 1: TAJ RAI\n\thand 2: FUJ POM\n');
    await page.locator('main button.primary').click();
    await page.waitForURL(/#\/replay\//);
    await page.goto(page.url().replace('/replay/', '/play/'));
    await page.locator('.curtain .btn.primary').click();
    await page.locator('[data-right=loop]:enabled').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await shot(page, `terrax-rights-${locale}`);
    assert.deepEqual(await page.evaluate(outside), [], locale);
    /* The map made room for them: the heads it opened at are still in sight. */
    const board = await page.locator('[data-board]').boundingBox();
    const heads = await page.locator('[data-board] circle[r="14"]').all();
    assert.ok(heads.length >= 2, `${heads.length} heads`);
    for (const head of heads)
      await becomes(async () => {
        const at = await head.boundingBox();
        return at.y >= board.y && at.y + at.height <= board.y + board.height && at.x >= board.x && at.x + at.width <= board.x + board.width;
      }, true);
    await done(page);
  }
});
