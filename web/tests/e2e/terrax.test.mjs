// Terra-X at one screen: a whole game of two people and a bot, its secrets,
// and the table by pointer, touch and keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done, launch, open, openTyping, pinch, prompt, serve, shot, violations, zoomed, zooms } from './table.mjs';
import { drawn, leaks, leaksIn, look, looksIn, scene, start, steps, takeScreen, tap, type } from './terrax.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* Legs from a place to every other. */
function distances(map, from) {
  const place = new Map(map.places.map((p) => [p.id, p.place]));
  const far = new Map([[from, 0]]);
  for (const here of far.keys())
    for (const { a, b } of map.legs)
      for (const [p, q] of [[place.get(a), place.get(b)], [place.get(b), place.get(a)]]) if (p === here && !far.has(q)) far.set(q, far.get(here) + 1);
  return far;
}

const crossed = ({ colours }) => colours.some(({ arrows }) => arrows.some((arrow, i) => i > 0 && /^[we]\d$/.test(arrow.tail) && arrows[i - 1].to === arrow.from && arrows[i - 1].tip !== arrow.tail));

/** Where the map's upper left corner lies on the screen, once it stays there: what stands beside the map may still change its size. */
const corner = (page) =>
  page.locator('svg.board .view').evaluate(async (g) => {
    for (let last = null; ; ) {
      const { e: x, f: y } = g.getScreenCTM();
      if (last && last.x === x && last.y === y) return last;
      last = { x, y };
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  });

/** The map followed a hand by so many pixels. */
async function moved(page, from, x, y, how) {
  const to = await corner(page);
  assert.ok(Math.hypot(to.x - from.x - x, to.y - from.y - y) < 3, `${how}: moved by ${to.x - from.x}, ${to.y - from.y}, not ${x}, ${y}`);
}

/** One finger from the middle of the map to another place. */
async function swipe(page, x, y) {
  const map = await page.locator('[data-board]').boundingBox();
  const finger = (part) => [{ x: map.x + map.width / 2 + x * part, y: map.y + map.height / 2 + y * part, id: 0 }];
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger(0) });
  for (const part of [0.5, 1]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: finger(part) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('two people and a bot play a whole game, and nobody sees another hand', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'human', 'novice'], { hand: '5', markers: '2', max_rounds: '7' });

  /* ---- markers, by card and button ---- */
  assert.deepEqual(await violations(page), [], 'the curtain');
  const looks = [];
  for (let i = 0; i < 4; i++) {
    const now = await takeScreen(page, looks);
    assert.equal(now.phase, 'mark');
    assert.deepEqual((await page.locator('[data-card]').evaluateAll((all) => all.map((card) => card.dataset.card))).sort(), [...now.seats[now.viewer].hand].sort());
    if (i === 0) assert.deepEqual(await violations(page), [], 'marking');
    const { card } = now.actions[i % now.actions.length];
    await page.locator(`[data-card=${card}]`).click({ position: { x: 10, y: 50 } });
    assert.match(await prompt(page), /A marker on/);
    await page.getByRole('button', { name: 'Place marker' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, await steps(page) - 1);
  }

  /* ---- a loop: three arrows of the first, closed by the second ---- */
  let now = await takeScreen(page, looks);
  assert.equal(now.viewer, 0);
  await type(page, 'A>rCOP');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => globalThis.shownScene.colours[0].arrows.length === 0);
  await type(page, 'A>rCOP $A>STO $A>SKA');
  assert.match(await prompt(page), /End your turn/);
  await page.getByRole('button', { name: 'End turn' }).click();
  now = await takeScreen(page);
  assert.equal(now.viewer, 1);
  await type(page, 'A>SCA');
  assert.match(await prompt(page), /Amber made a loop/);
  assert.ok(await page.locator('[data-right=loop].on').count(), 'the loop right is shown');
  await shot(page, 'terrax-loop');
  assert.deepEqual(await violations(page), [], 'a turn');
  await type(page, '~A@STO>CAR');
  assert.equal(await page.locator('[data-right=loop].used').count(), 1);
  await page.getByRole('button', { name: 'End turn' }).click();

  /* ---- on: over the edge, a removal and an exchange, to the end ---- */
  const did = { edge: false, remove: false, swap: false, click: false };
  for (let turn = 0; turn < 40; turn++) {
    now = await takeScreen(page, looks);
    if (!now) break;
    for (let act = 0; act < 6 && now.phase === 'turn' && now.viewer === now.seat; act++) {
      did.edge ||= crossed(now);
      const kinds = (kind) => now.actions.filter((a) => a.kind === kind);
      const arrows = [...kinds('base'), ...kinds('green'), ...(did.edge ? [] : kinds('cheque'))];
      const far = distances(now.map, 'w1');
      const over = arrows.find((a) => /^[we]\d$/.test(a.tail) && a.tail !== now.colours.find((c) => c.colour === a.colour).arrows.at(-1).tip);
      const best = over ?? arrows.sort((a, b) => far.get(a.to) - far.get(b.to))[0];
      if (best && !(did.edge && best.kind === 'cheque')) {
        if (best.kind === 'base' && !did.click) await clickTarget(page, best, did);
        else await type(page, best.text);
      } else if (did.edge && !did.remove && kinds('remove').length) {
        await page.locator('[data-right=cheque]').click();
        if (turn >= 0) assert.deepEqual(await violations(page), [], 'the cheque dialog');
        await shot(page, 'terrax-cheque');
        const [{ colour }] = kinds('remove');
        const count = await steps(page);
        await page.locator(`[data-remove=${colour}]`).click();
        await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, count);
        did.remove = true;
      } else if (did.edge && !did.swap && kinds('swap').length) {
        await exchange(page, kinds('swap')[0].card);
        did.swap = true;
      } else if (kinds('end').length + kinds('pass').length) break;
      if (await page.locator('.curtain').count()) break;
      now = await scene(page);
      looks.push(await look(page, now));
    }
    if (!(await page.locator('.curtain').count()) && (await scene(page)).phase === 'turn') await page.locator('[data-deed=end], [data-deed=pass]').click();
    await page.waitForFunction((seat) => globalThis.shownScene.viewer !== seat || globalThis.shownScene.phase === 'over', now.viewer);
  }
  now = await scene(page);
  assert.equal(now.phase, 'over');
  assert.deepEqual(did, { edge: true, remove: true, swap: true, click: true });

  /* ---- the end: everybody's cards, and the arithmetic ---- */
  await page.locator('#tx-final').waitFor();
  for (const { tally, points } of now.seats) assert.equal(points, tally.total);
  const cells = await page.locator('section:has(> header #tx-final) .tally tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-')))));
  const ranked = [...now.seats].sort((a, b) => a.place - b.place || a.seat - b.seat);
  assert.deepEqual(cells, ['own', 'open', 'left', 'markers', 'board', 'total'].map((part) => ranked.map(({ tally }) => tally[part])));
  for (const { done: own, won, hand, marks, tally } of ranked) {
    const regained = marks.filter((mark) => mark.won).length;
    assert.deepEqual(tally, { own: own.length, open: won.length, left: 0 - hand.length, markers: regained, board: regained - marks.length, total: own.length + won.length - hand.length + 2 * regained - marks.length }, 'each part is counted from cards and markers');
  }
  assert.match(await prompt(page), new RegExp(`(won|win) ${ranked.map(({ points }) => String(points).replace('-', '−')).join(' : ')}$`, 'm'));
  await shot(page, 'terrax-over');
  assert.deepEqual(await violations(page), [], 'the end');

  /* ---- nothing leaked on the way, neither of people's cards nor of the bot's ---- */
  const { found, truth, heard } = await leaks(page);
  /* However the cards fell: steps were shown, what may follow was told to people, and the bot's chosen. */
  const [played, bot] = [truth.length - 1, truth.slice(0, -1).filter(({ seat }) => seat === 2).length];
  for (const [what, least] of [['snapshot', played / 2], ['effects', (played - bot) / 2], ['choose', bot]]) assert.ok(heard.filter((one) => one.what === what).length >= least, what);
  assert.ok(truth[0].seats.every(({ hand }) => hand.length === 5), 'all hands are known to the eyes');
  assert.deepEqual(found, []);
  for (const viewer of [-1, 0, 1]) assert.ok(looks.some((one) => one.viewer === viewer && one.count > played / 2), `looks of ${viewer}`);
  assert.deepEqual(looksIn(looks, truth), []);
  /* And the eyes are open: a card of the bot in a preview, as its choice, or in a label. */
  const [card] = truth[0].seats[2].hand;
  for (const value of [[{ text: 'A>rCOP', completed: [{ card, seat: 2 }] }], `=${card}`, { log: [{ seat: 2, text: `$x${card}` }] }]) assert.equal(leaksIn([{ what: 'test', viewer: 0, count: 0, value }], truth).length, 1);
  for (const html of [`<i title="${looks[0].names[card]}, Europe">`, `<i data-x="${card}">`]) assert.equal(looksIn([{ ...looks[0], count: 0, html }], truth).length, 1);
  const kept = await page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('terrarium');
    request.onsuccess = () => { const all = request.result.transaction('games').objectStore('games').getAll(); all.onsuccess = () => resolve(all.result); };
  }));
  assert.deepEqual(kept.map((game) => game.text), ['']);

  /* ---- replay: all, what everybody knows, one seat ---- */
  await page.getByRole('link', { name: 'Replay' }).first().click();
  const eyes = page.getByLabel('Seen by');
  await eyes.waitFor();
  assert.equal(await eyes.inputValue(), '-2');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  assert.deepEqual(await page.locator('.chartp .leg b').allInnerTexts(), ['−5', '−5', '−5'], 'cards in hand count from the beginning');
  /* At the start all hands are full and nothing is marked: each pair of eyes sees its own. */
  for (const [viewer, seen] of [['-2', [5, 5, 5]], ['-1', [0, 0, 0]], ['0', [5, 0, 0]], ['2', [0, 0, 5]]]) {
    await eyes.selectOption(viewer);
    await page.waitForFunction(([who, cards]) => globalThis.tapped.some(({ method, args, text }) => method === 'scene' && args[1] === 0 && args[2] === Number(who) && String(JSON.parse(text).seats.map(({ hand }) => hand.length)) === cards), [viewer, String(seen)]);
    /* Own missions have a ring on the map; all hands are told to who sees all. */
    await page.waitForFunction(([rings, lines]) => document.querySelectorAll('[data-board] circle[r="16.500"]').length === rings && document.querySelectorAll('[data-fold=score] .none').length === lines, [viewer < 0 ? 0 : 5, viewer === '-2' ? 6 : 3]);
  }
  await eyes.selectOption('0');
  await shot(page, 'terrax-replay');
  assert.deepEqual(await violations(page), [], 'the replay');
  await done(page);
});

async function clickTarget(page, action, did) {
  const ring = page.locator(`[data-target="${action.tip}"]`);
  if (!(await ring.count())) return type(page, action.text);
  const at = await ring.evaluate((node) => { const { x, y } = new DOMPoint(0, 0).matrixTransform(node.getScreenCTM()); return { x, y }; });
  const count = await steps(page);
  await page.mouse.click(at.x, at.y);
  const button = page.locator('.buttons .btn.primary');
  await button.waitFor();
  const others = page.locator('.buttons .btn', { hasText: { A: 'Amber', B: 'Blue', C: 'Charcoal' }[action.colour] });
  await ((await others.count()) ? others.first() : button).click();
  await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, count);
  did.click = true;
  return undefined;
}

async function exchange(page, card) {
  const count = await steps(page);
  await page.locator('[data-right=cheque]').click();
  await page.locator(`dialog [data-card=${card}]`).click();
  await page.getByRole('button', { name: /^Give up/ }).click();
  await page.getByRole('heading', { name: 'Keep one card' }).waitFor();
  assert.deepEqual(await violations(page), [], 'the exchange');
  await shot(page, 'terrax-keep');
  const keep = async (which) => {
    await page.locator('dialog [data-card]').nth(which).click();
    await page.getByRole('button', { name: /^Keep (?!one)/ }).click();
    await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n + 1, count);
  };
  await keep(0);
  /* The choice can be changed, but cards that were seen stay seen. */
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Keep one card' }).waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  await page.getByRole('button', { name: 'Keep one card' }).click();
  await keep(-1);
}

test('alone against a bot: no curtain, keyboard only, reasons, a private export', async () => {
  const page = await open(browser, 'about:blank', { theme: 'dark', locale: 'nl' });
  await page.context().addInitScript(tap);
  await page.goto(`${server.url}#/new/terrax`);
  await page.locator('.sum svg.board').waitFor();
  await page.getByLabel('Wie speelt voor speler 2').selectOption('random');
  await page.locator('button:visible', { hasText: /Partij beginnen/ }).first().click();
  await page.locator('[data-board]').waitFor();
  await page.waitForFunction(() => globalThis.shownScene?.actions.length);
  assert.equal(await page.locator('.curtain').count(), 0);
  const board = page.locator('[data-board]');
  for (let i = 0; i < 4; i++) {
    await page.waitForFunction((n) => globalThis.shownScene.phase === 'mark' && globalThis.shownScene.seats[0].marks.length === n && globalThis.shownScene.actions.length, i);
    await drawn(page);
    await board.focus();
    for (let k = 0; k <= i; k++) await page.keyboard.press('.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
  }
  await page.waitForFunction(() => globalThis.shownScene.phase === 'turn' && globalThis.shownScene.actions.length, null, { timeout: 60_000 });
  await drawn(page);
  await board.focus();
  await page.keyboard.press('.');
  assert.match(await page.locator('[data-live=polite]').innerText(), /mogelijke volgende stap/);
  await page.keyboard.press('f');
  assert.equal(await page.locator('.find').getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('f');
  const small = await zoomed(page);
  await page.keyboard.press('+');
  await zooms(page, small, true);
  const greater = await zoomed(page);
  const map = await board.boundingBox();
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
  await page.mouse.wheel(0, -300);
  await zooms(page, greater, true);
  const greatest = await zoomed(page);
  await page.mouse.wheel(0, 150);
  await zooms(page, greatest, false);
  const less = await zoomed(page);
  await board.focus();
  await page.keyboard.press('-');
  await zooms(page, less, false);
  for (const [button, more] of [['Inzoomen', true], ['Uitzoomen', false], ['Inzoomen', true]]) {
    const now = await zoomed(page);
    await page.getByRole('button', { name: button }).click();
    await zooms(page, now, more);
  }
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
  /* Dragged it follows the hand, and a drag is no click; arrow keys take it along. */
  const middle = { x: map.x + map.width / 2, y: map.y + map.height / 2 };
  const [start, said] = [await corner(page), await prompt(page)];
  await page.mouse.down();
  await page.mouse.move(middle.x + 80, middle.y + 50);
  await moved(page, start, 80, 50, 'a drag');
  await page.mouse.move(middle.x - 60, middle.y - 30);
  await page.mouse.up();
  await moved(page, start, -60, -30, 'a drag back');
  assert.equal(await prompt(page), said);
  await page.mouse.move(middle.x, middle.y);
  await moved(page, start, -60, -30, 'without a button');
  await board.focus();
  const { x: before } = await corner(page);
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
  const { x: east } = await corner(page);
  assert.ok(east < before - 100, `the map went east with the keys: ${before} to ${east}`);
  for (let i = 0; i < 16; i++) await page.keyboard.press('ArrowLeft');
  assert.ok((await corner(page)).x > east + 100, 'and west again');
  await page.keyboard.press('0');
  await page.waitForFunction(() => /scale\(1\)/.test(document.querySelector('svg.board .view').style.transform));
  const whole = await corner(page);
  await page.mouse.down();
  await page.mouse.move(middle.x + 80, middle.y + 50);
  await page.mouse.up();
  await moved(page, whole, 0, 0, 'a map that is seen whole');
  await page.keyboard.press('.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.shownScene.colours.some((c) => c.arrows.length));
  /* An expedition does not turn around, and says so. */
  const { head } = (await scene(page)).colours.find((c) => c.arrows.length);
  assert.ok(head);
  await openTyping(page);
  await page.locator('.typing input').fill('A>SCA');
  await page.keyboard.press('Enter');
  await page.locator('.typing .fault').waitFor();
  /* What is exported before the end hides the other hand. */
  await page.getByRole('button', { name: 'Partijmenu' }).click();
  await page.locator('.drop button').first().click();
  const record = await page.locator('dialog textarea').inputValue();
  await page.waitForFunction(() => document.querySelector('dialog textarea').value.includes('hand 2:'));
  const text = record || (await page.locator('dialog textarea').inputValue());
  assert.match(text, /^hand 2:( [A-Z]{3}){4}( \?)+$/m);
  assert.match(text, /^stack:( \?)+$/m);
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await shot(page, 'terrax-dark-nl');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual((await leaks(page)).found, []);
  await done(page);
});

test('hints name a seat\'s best actions from what it may know, and point at them', async () => {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await start(page, server.url, ['human', 'human'], { markers: '0', hand: '3' });
  assert.equal(await page.getByRole('button', { name: 'Hint' }).count(), 0, 'nobody is advised behind the curtain');
  const now = await takeScreen(page);
  await page.locator('[data-board]').focus();
  await page.keyboard.press('h');
  await page.locator('.hints li').nth(2).waitFor();
  const list = await page.locator('.hints button').evaluateAll((all) => all.map((one) => one.dataset.hint));
  assert.match(await page.locator('.hints button').first().innerText(), /^Scandinavia to .+ with (Amber|Blue|Charcoal)/, 'in words');
  assert.ok(list.every((text) => now.actions.some((action) => action.text === text)), list.join());
  assert.ok(await page.locator('[data-board] circle[r="12"]').count() > 0, 'they are numbered on the map');
  await shot(page, 'terrax-hints');
  const before = await steps(page);
  await page.locator('.hints button').first().click();
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  assert.equal(await page.locator('.hints').count(), 0, 'they are gone once something is played');
  assert.deepEqual((await leaks(page)).found, []);
  await done(page);
});

test('on a phone: a card finds its place, a tap chooses, pinch and buttons zoom, a finger pans', async () => {
  const page = await open(browser, 'about:blank', { size: 'phone', locale: 'sv' });
  await page.context().addInitScript(tap);
  await page.goto(`${server.url}#/new/terrax`);
  await page.locator('.sum svg.board').waitFor();
  await page.locator('button:visible', { hasText: /Börja partiet/ }).first().click();
  await page.locator('[data-board]').waitFor();
  await page.waitForFunction(() => globalThis.shownScene?.actions.length);
  const [{ card: mission }] = (await scene(page)).actions;
  const card = page.locator(`[data-card=${mission}]`);
  const name = await card.locator('b').innerText();
  await card.scrollIntoViewIfNeeded();
  await card.tap();
  await page.locator('.names text', { hasText: name }).first().waitFor({ state: 'attached' }); /* its name is on the map */
  const { text } = (await scene(page)).map.places.find(({ id }) => id === mission);
  await page.getByText(text.sv, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Placera markör' }).tap();
  await page.waitForFunction(() => globalThis.shownScene.seats[0].marks.length === 1 && globalThis.shownScene.actions.length);
  await drawn(page);
  const before = await zoomed(page);
  assert.ok(before > 1, 'a narrow map opens close to the action');
  /* Looked for, all missions are on screen; then the map is as it was. */
  const opening = await corner(page);
  await page.locator('.find').tap();
  await page.waitForFunction(() => /scale\(1\)/.test(document.querySelector('svg.board .view').style.transform));
  await page.locator('.find').tap();
  await zooms(page, 1, true);
  await moved(page, opening, 0, 0, 'after looking');
  await page.getByRole('button', { name: 'Zooma in' }).tap();
  await zooms(page, before, true);
  const closer = await zoomed(page);
  await pinch(page, [20], [35], [50], [70]);
  await zooms(page, closer, true);
  const close = await zoomed(page);
  assert.ok(Math.abs(close - Math.min(9, 3.5 * closer)) < 0.2 * closer, `fingers 3.5 times as far apart: ${closer} to ${close}`);
  const here = await corner(page);
  await pinch(page, [40], [40, 20], [40, 50]);
  await moved(page, here, 50, 0, 'two fingers side by side');
  assert.equal(await zoomed(page), close);
  await pinch(page, [40], [40, -20], [40, -50]);
  await swipe(page, 60, 40);
  await moved(page, here, 60, 40, 'a finger');
  await swipe(page, -60, -40);
  await moved(page, here, 0, 0, 'and back');
  await pinch(page, [70], [50], [40]);
  await zooms(page, close, false);
  const wider = await zoomed(page);
  await page.getByRole('button', { name: 'Zooma ut' }).tap();
  await zooms(page, wider, false);
  await page.getByRole('button', { name: 'Hela brädet' }).tap();
  await page.waitForFunction(() => /scale\(1\)/.test(document.querySelector('svg.board .view').style.transform));
  const find = await page.locator('.find').boundingBox();
  const hub = await page.locator('[data-board] use[href="#g-hub"]').boundingBox();
  assert.ok(find.y > hub.y + hub.height, 'nothing lies over the start');
  assert.deepEqual(await violations(page), []);
  await shot(page, 'terrax-phone-sv');
  await done(page);
});
