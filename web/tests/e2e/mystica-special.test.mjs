// Terra Mystica by mouse from given positions: every special terrain tile,
// every faction's action, each kind of turn, undone and done, offers by rule,
// a town, and which special actions are used.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { actions, position, tiles, twoBuilds, twoOffers } from './mystica-cases.mjs';
import { choose, clickHex, mine, played, scene, sitDown, steps, tap } from './mystica.mjs';
import { menu } from './online.mjs';
import { becomes, done, launch, open, serve } from './table.mjs';

let server, browser, page;
before(async () => {
  server = await serve();
  browser = await launch();
  page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
});
after(async () => { await done(page); await browser.close(); assert.equal(await server.stop(), 0); });

test('every special terrain tile is placed', async () => {
  assert.equal(tiles.length, 20);
  for (const one of tiles) {
    await sitDown(page, server.url, position(one));
    for (const deed of one.deeds) await choose(page, deed);
    const cell = (await scene(page)).cells.find(({ cell: name }) => name === one.cell);
    assert.deepEqual([one.faction, cell.piece, cell.seat], [one.faction, 'X', 0]);
  }
});

test("every faction's action is taken", async () => {
  for (const one of actions) {
    await sitDown(page, server.url, position(one));
    for (const deed of one.deeds) await choose(page, deed);
    assert.ok(one.shows(await scene(page)), `${one.faction}: ${one.deeds.join('. ')}`);
  }
});

const halflings = (purse = '', build = ['D E6 F5', 'TP D8']) => position({ faction: 'halflings', home: 'brown brown', build, purse });

const townFounders = position({ faction: 'halflings', home: 'brown brown', build: ['D E6 E7', 'TP F3 F4'], terrain: 'brown E7 F3 F4' });

test('at most three clicks lead from the wish to the end of a turn', async () => {
  let clicks = 0;
  const press = async (locator) => { clicks++; await locator.click(); };
  const end = async () => {
    const before = await steps(page);
    await press(page.locator('[data-deed="done"]'));
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
    assert.ok(clicks <= 3, `${clicks} clicks`);
    clicks = 0;
  };
  const commit = async () => {
    const before = await steps(page);
    await press(page.locator('.buttons .btn.primary'));
    await played(page, before);
  };
  for (const hex of ['F3', 'E6']) { // digs and builds; upgrades
    await sitDown(page, server.url, halflings());
    await mine(page);
    clicks++;
    await clickHex(page, hex);
    await commit();
    await end();
    const cell = (await scene(page)).cells.find((one) => one.cell === hex);
    assert.equal(cell.piece, hex === 'F3' ? 'D' : 'TP');
  }
  await sitDown(page, server.url, halflings());
  await mine(page);
  await press(page.locator('[data-power="ACT4"]'));
  await commit();
  await end();
  assert.equal((await scene(page)).seats[0].C, 27);
  /* Tiles that an upgrade or a dwelling brings are taken with it. */
  for (const { at, hex, tile, shows } of [
    { at: halflings('', ['TP E6', 'D F5']), hex: 'E6', tile: 'FAV11', shows: (me) => [me.pieces[2], me.favours] },
    { at: halflings('', ['TE E6', 'D F5']), hex: 'E6', tile: 'FAV9', shows: (me) => [me.pieces[4], me.favours] },
    { at: townFounders, hex: 'E6', tile: 'TW1', shows: (me) => [me.pieces[1] - 2, me.towns] },
  ]) {
    await sitDown(page, server.url, at);
    await mine(page);
    clicks++;
    await clickHex(page, hex);
    const before = await steps(page);
    await press(page.locator(`.tray [data-tile="${tile}"]`));
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length === count + 2, before);
    await end();
    assert.deepEqual(shows((await scene(page)).seats[0]), [1, [Number(tile.replace(/\D+/, ''))]]);
  }
  /* A power action that needs a hex begins there. */
  const behind = async (hex, deed, purse = halflings()) => {
    await sitDown(page, server.url, purse);
    await mine(page);
    clicks++;
    await clickHex(page, hex);
    const before = await steps(page);
    await press(page.locator('.buttons .btn', { hasText: deed }));
    await played(page, before);
    await end();
    return scene(page);
  };
  for (const [hex, deed, space] of [['F3', 'Power: 1 spade, dwelling on F3', 'ACT5'], ['D4', 'Power: 2 spades, dwelling on D4', 'ACT6']]) {
    const { cells, used } = await behind(hex, deed);
    assert.deepEqual([cells.find((one) => one.cell === hex).piece, used], ['D', [space]]);
  }
  const linked = await behind('C2', 'Power: Bridge C2–E5', halflings('', ['D E6 C2', 'TP D8']));
  assert.deepEqual([linked.bridges.length, linked.used], [1, ['ACT1']]);
});

test('a power action that cannot be taken tells why', async () => {
  await sitDown(page, server.url, halflings().replace('bowls 4/4/6', 'bowls 7/0/7'));
  await choose(page, 'action ACT4');
  await choose(page, 'done');
  await mine(page);
  const power = (id) => page.locator(`.aside [data-power="${id}"]`);
  const told = page.locator('.tip.bad');
  await power('ACT4').click({ force: true });
  await told.getByText('It was used this round already.').waitFor();
  await sitDown(page, server.url, halflings().replace('bowls 4/4/6', 'bowls 11/0/3'));
  await mine(page);
  await power('ACT6').click({ force: true });
  await told.getByText('There is too little power in bowl III.').waitFor();
  assert.equal(await power('ACT6').getAttribute('aria-disabled'), 'true');
});

test('tracks are advanced, power is burned and exchanged, a bridge is built, a priest sent', async () => {
  const own = page.locator('.aside .board:not(.away)');
  const at = async () => (await own.locator('.track .now').allInnerTexts()).at(-1);
  const convert = async (text) => {
    const before = await steps(page);
    await page.locator(`[data-convert="${text}"]`).click();
    await played(page, before);
  };
  const sit = async () => { await sitDown(page, server.url, halflings('', ['D E6 C2', 'TP D8'])); return (await mine(page)).seats[0]; };
  const end = async () => { await choose(page, 'done'); return (await mine(page)).seats[0]; };
  const { ship, dig } = await sit();
  const next = await own.locator('.next .vh').allInnerTexts();
  await choose(page, 'advance ship');
  assert.equal(await at(), String(ship + 1));
  const sailed = await end();
  assert.deepEqual([sailed.ship, sailed.points, sailed.P, sailed.C], [ship + 1, 23, 2, 16]);
  await sit();
  await choose(page, 'advance dig');
  const dug = await end();
  assert.deepEqual([dug.dig, dug.points > 20, dug.P], [dig + 1, true, 2]);
  assert.deepEqual(next, ['next step: 2 workers, 1 coin, 1 priest, then +6 VP', 'next step: 4 coins, 1 priest, then +3 VP']);
  const { bowls, C, P, cults } = await sit();
  await convert('burn 1');
  assert.deepEqual((await mine(page)).seats[0].bowls, [bowls[0], bowls[1] - 2, bowls[2] + 1]);
  await convert('convert 1PW to 1C');
  const changed = (await mine(page)).seats[0];
  assert.deepEqual([changed.bowls, changed.C], [[bowls[0] + 1, bowls[1] - 2, bowls[2]], C + 1]);
  await choose(page, 'send p to WATER for 3');
  const sent = await end();
  assert.deepEqual([sent.P, sent.cults[1]], [P - 1, cults[1] + 3]);
  await sit();
  await choose(page, 'action ACT1');
  await choose(page, 'bridge C2:E5');
  await end();
  assert.equal((await scene(page)).bridges.length, 1);
  assert.equal(await page.locator('[data-board] .bridge').count(), 1);
});

test('what a cost lacks is offered by burning and converting, and the turn is summed up', async () => {
  await sitDown(page, server.url, halflings().replace('C 20 W 20 P 3 keys 0 ship 1', 'C 9 W 1 P 0 keys 0 ship 1').replace('bowls 4/4/6', 'bowls 4/6/2'));
  await mine(page);
  await clickHex(page, 'E6');
  const tip = page.locator('.tip.score');
  await tip.getByText('Burn 1 and convert 3 power to 1 worker?').waitFor();
  await page.locator('.prompt').getByText('Nothing is final until you end the turn.').waitFor();
  await page.locator('.buttons .btn.primary').click();
  await page.locator('[data-turnsum]').getByText('1 worker').first().waitFor();
  assert.equal((await scene(page)).cells.find((one) => one.cell === 'E6').piece, 'TP');
  await page.locator('[data-deed="done"]').click();
  await mine(page);
});

test('hovering tells what a hex is and what could be done; why not is told, too', async () => {
  await sitDown(page, server.url, halflings());
  await mine(page);
  const box = await page.locator('svg.board [data-cell="F3"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('.tip.score').getByText('F3, desert').waitFor();
  await page.locator('.tip.score').getByText('Dig 1 spade, dwelling on F3').waitFor();
  await clickHex(page, 'A1');
  assert.match(await page.locator('.tip.bad').innerText(), /A1, plains\n.*It cannot be reached from your buildings/);
});

test('what a hex says of costs, gains and power for others is what happens', async () => {
  await sitDown(page, server.url, halflings().replace('build 2 D I4', 'build 2 D D5 E4').replace('bowls 4/4/4', 'bowls 6/4/2'));
  const before = await mine(page);
  const box = await page.locator('svg.board [data-cell="D4"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('.tip.score h2').getByText('Dig 2 spades, dwelling on D4').waitFor();
  const lines = async (first) => (await page.locator('.tip.score > div').first().locator('.line').allInnerTexts()).filter((line) => line.startsWith(first)).flatMap((line) => line.split('\n').slice(1));
  await page.waitForFunction(() => document.querySelectorAll('.tip.score .line').length >= 3);
  const [costs, gains] = [await lines('−'), await lines('+')];
  const offer = await page.locator('.tip.score .line', { hasText: 'may take' }).first().innerText();
  await choose(page, 'dig 2. build D4');
  const now = await mine(page);
  const [was, is] = [before.seats[0], now.seats[0]];
  const words = { C: 'coin', W: 'worker', P: 'priest', points: 'VP' };
  const told = (sign) => Object.entries(words).flatMap(([key, word]) => {
    const n = sign * (is[key] - was[key]);
    return n > 0 ? [`${n} ${word}${n > 1 && key !== 'points' ? 's' : ''}`] : [];
  });
  assert.deepEqual([costs, gains], [told(-1), told(1)]);
  assert.ok(costs.length >= 2 && gains.length >= 1, `${costs} for ${gains}`);
  await choose(page, 'done');
  const { offers } = await mine(page);
  assert.equal(offer.trim(), `Player ${offers[0].to + 1} may take ${offers[0].gain} power${offers[0].price ? ` for ${offers[0].price} VP` : ''}`);
});

test('what a volcano and a new shape cost is told as it happens', async () => {
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const tip = page.locator('.tip.score');
  for (const { faction, home, build, terrain = '', purse, deed, says, extra, pays } of [
    { faction: 'acolytes', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', deed: 'dig 1. build E7', says: 'Volcano and dwelling on E7', extra: ['3 steps down one cult'], pays: '-3FIRE' },
    { faction: 'acolytes', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', deed: 'dig 1. special E7', says: 'Place the special tile on E7', extra: ['3 steps down one cult'], pays: '-3FIRE' },
    { faction: 'dragonlords', home: 'volcano green', build: ['D E6'], terrain: 'volcano E6', deed: 'dig 1. build E7', says: 'Volcano and dwelling on E7', extra: ['1 power token, for good'] },
    { faction: 'shapeshifters', home: 'green green', build: ['D F4'], deed: 'dig 1. build E7', says: 'Dig 1 spade, dwelling on E7', extra: [] },
  ]) {
    await sitDown(page, server.url, position({ faction, home, build, terrain, purse }));
    const { seats: [was] } = await mine(page);
    assert.equal(await page.locator('[data-board] path[marker-start*="-dig-"]').count() > 0, faction === 'shapeshifters', `spades of the ${faction}`);
    await clickHex(page, deed.split(' ').at(-1));
    await tip.locator('h2').getByText(says, { exact: true }).waitFor();
    const told = tip.locator('> div').nth(await tip.locator('h2').evaluateAll((list, text) => list.findIndex((one) => one.textContent === text), says));
    const costs = (await told.locator('.line', { hasText: '−' }).innerText()).split('\n').slice(1);
    await page.keyboard.press('Escape');
    await choose(page, deed);
    if (pays) await choose(page, pays);
    const { seats: [is] } = await mine(page);
    const less = { C: was.C - is.C, W: was.W - is.W, P: was.P - is.P };
    const words = [['C', 'coin'], ['W', 'worker'], ['P', 'priest']].flatMap(([unit, word]) => (less[unit] > 0 ? [`${less[unit]} ${word}${less[unit] > 1 ? 's' : ''}`] : []));
    assert.deepEqual(costs, [...words, ...extra], `${faction}: ${deed}`);
    assert.deepEqual([was.cults[0] - is.cults[0], sum(was.bowls) - sum(is.bowls)], [pays ? 3 : 0, faction === 'dragonlords' ? 1 : 0]);
  }
});

test('what Riverwalkers pay is told as it happens', async () => {
  const river = position({ faction: 'riverwalkers', home: 'variable blue', build: ['D D5'], purse: 'unlocked blue+red' });
  const pays = async (now, deed, told) => {
    const { seats: [was] } = now;
    await choose(page, deed);
    const { seats: [is] } = await mine(page);
    const less = [[was.C - is.C, 'coin'], [was.W - is.W, 'worker']].flatMap(([n, word]) => (n > 0 ? [`${n} ${word}${n > 1 ? 's' : ''}`] : []));
    assert.deepEqual(told, less, deed);
    assert.ok(less.length, deed);
  };
  /* Terrains: the home of somebody else is dearer (mystica §12). */
  for (const deed of ['unlock-terrain green', 'unlock-terrain yellow']) {
    await sitDown(page, server.url, river);
    await choose(page, 'action ACT2');
    const now = await mine(page);
    const button = page.locator(`[data-deed="unlock"][data-text="${deed}"]`);
    await button.getByText('costs').waitFor();
    await pays(now, deed, (await button.innerText()).replace(/[^]*costs /, '').split(', '));
  }
  /* Buildings, with no spade to pay. */
  await sitDown(page, server.url, river);
  const now = await mine(page);
  const { text, cell } = now.actions.find(({ kind }) => kind === 'build');
  assert.equal(await page.locator('[data-board] path[marker-start*="-dig-"]').count(), 0);
  await clickHex(page, cell);
  const costs = page.locator('.tip.score .deed').first().locator('.line', { hasText: '−' });
  await costs.waitFor();
  const told = (await costs.innerText()).split('\n').slice(1);
  await page.keyboard.press('Escape');
  await pays(now, text, told);
});

test('what a cult step brings or wastes stands on its button', async () => {
  await sitDown(page, server.url, position({ faction: 'auren', home: 'green green', build: ['SH F4'] }).replace('cults 5/5/5/5', 'cults 9/6/5/3'));
  await choose(page, 'action ACTA');
  await mine(page);
  const told = () => page.locator('.tray [data-deed="step"] small').allInnerTexts();
  await becomes(told, ['Cult steps lost: 2', 'Water 6 → 8; bowls 2 · 6 · 6', 'Earth 5 → 7; bowls 2 · 6 · 6', 'Air 3 → 5; bowls 2 · 6 · 6']);
  await choose(page, '+2AIR');
  const { seats: [{ cults, bowls }] } = await mine(page);
  assert.deepEqual([cults, bowls], [[9, 6, 5, 5], [2, 6, 6]]);
});

test('the running sum of a turn is what it changed', async () => {
  await sitDown(page, server.url, halflings());
  const { seats: [was] } = await mine(page);
  const told = async () => Object.fromEntries((await page.locator('[data-turnsum] .line').allInnerTexts()).flatMap((line) => {
    const [sign, ...parts] = line.split('\n');
    return parts.flatMap((part) => { const [n, word] = part.split(' '); return /^(coin|worker|priest|VP)/.test(word) ? [[word.replace(/s$/, ''), (sign === '−' ? -1 : 1) * Number(n)]] : []; });
  }));
  const happened = ({ C, W, P, points }) => Object.fromEntries([['coin', C - was.C], ['worker', W - was.W], ['priest', P - was.P], ['VP', points - was.points]].filter(([, n]) => n));
  const exchange = async (line) => {
    const count = await steps(page);
    await page.locator(`[data-convert="${line}"]`).click();
    await played(page, count);
  };
  for (const deed of ['convert 1P to 1W', 'dig 1. build F3', 'convert 1W to 1C']) {
    await (deed.startsWith('convert') ? exchange : (line) => choose(page, line))(deed);
    const { seats: [is] } = await mine(page);
    await becomes(told, happened(is), deed);
  }
  assert.deepEqual(Object.keys(await told()).sort(), ['VP', 'coin', 'priest', 'worker']);
  /* What is chosen belongs to it before it is done. */
  await sitDown(page, server.url, halflings());
  await mine(page);
  await exchange('convert 1P to 1W');
  await mine(page);
  await clickHex(page, 'F3');
  const before = await steps(page);
  await becomes(async () => Object.keys(await told()).length, 4, 'with what is chosen');
  const all = await told();
  await page.locator('.buttons .btn.primary').click();
  await played(page, before);
  assert.deepEqual(all, happened((await mine(page)).seats[0]));
});

test('power for others is told as they can take it, with its price', async () => {
  const tip = page.locator('.tip.score');
  for (const [bowls, vp, told] of [['6/4/2', 20, 'Player 2 may take 2 power for 1 VP'], ['0/1/11', 20, 'Player 2 may take 1 power'], ['0/0/12', 20, ''], ['6/4/2', 0, 'Player 2 may take 1 power']]) {
    await sitDown(page, server.url, halflings().replace('build 2 D I4', 'build 2 TP D5 E4').replace('blue blue vp 20', `blue blue vp ${vp}`).replace('bowls 4/4/4', `bowls ${bowls}`));
    await mine(page);
    await clickHex(page, 'D4');
    await tip.locator('.line').nth(2).waitFor();
    const offers = await tip.locator('> div').first().locator('.line', { hasText: 'may take' }).allInnerTexts();
    assert.deepEqual(offers.map((text) => text.trim()), told ? [told] : [], bowls);
    await page.locator('.buttons .btn.primary').click();
    await page.locator('[data-deed="done"]').click();
    const now = await mine(page);
    assert.deepEqual(now.offers.map(({ to, gain, price }) => `Player ${to + 1} may take ${gain} power${price ? ` for ${price} VP` : ''}`), told ? [told] : []);
  }
});

test('what a priest, a track or a card lacks is offered by converting, too', async () => {
  const poor = halflings().replace('C 20 W 20 P 3 keys 0 ship 1', 'C 20 W 20 P 0 keys 0 ship 1');
  await sitDown(page, server.url, poor);
  await mine(page);
  await page.locator('[data-send="FIRE"]').click();
  await page.locator('.tip.score').getByText('Convert 5 power to 1 priest?').first().waitFor();
  const before = await steps(page);
  await page.locator('.buttons .btn.primary').click();
  await played(page, before);
  await choose(page, 'done');
  const sent = (await mine(page)).seats[0];
  assert.deepEqual([sent.cults[0], sent.P, sent.bowls], [8, 0, [7, 6, 1]]);
  await sitDown(page, server.url, poor);
  await mine(page);
  await page.locator('[data-advance="ship"]').click();
  await page.locator('.tip.score').getByText('Convert 5 power to 1 priest?').waitFor();
  await sitDown(page, server.url, position({ faction: 'engineers', home: 'gray gray', build: ['D C2'] }).replace('W 20 P 3', 'W 1 P 0'));
  await mine(page);
  await page.locator('[data-special$="action ACTE"]').click();
  await page.locator('.tip.score').getByText('Convert 3 power to 1 worker?').waitFor();
});

test('waste is told before it is confirmed', async () => {
  const tip = page.locator('.tip.score .warn');
  const commit = page.locator('.buttons .btn.primary');
  const warned = async (text, count) => {
    assert.equal((await tip.first().innerText()).trim(), text);
    assert.equal(await steps(page), count);
    await commit.click();
    await played(page, count);
  };
  /* No key to the top of the track; no room in the bowls; a spade too many. */
  await sitDown(page, server.url, halflings().replace('cults 5/5/5/5', 'cults 9/5/5/5'));
  await mine(page);
  await page.locator('[data-send="FIRE"]').click();
  await warned('Cult steps lost: 3', await steps(page));
  await sitDown(page, server.url, townFounders.replace('bowls 4/4/6', 'bowls 1/1/10'));
  await choose(page, 'upgrade E6 to TP');
  await mine(page);
  const town = page.locator('.tray [data-tile="TW4"]');
  await town.getByText('5 power finds no room').waitFor();
  assert.match(await town.getAttribute('title'), /^brings 6 VP.*; bowls 0 · 0 · 12; 5 power finds no room$/);
  await town.click();
  await page.locator('[data-turnsum] .warn').getByText('5 power finds no room').waitFor();
  /* A tile beside a chosen hex that would waste something waits to be pressed again. */
  await sitDown(page, server.url, townFounders.replace('bowls 4/4/6', 'bowls 1/1/10'));
  await mine(page);
  await clickHex(page, 'E6');
  await town.click();
  await town.getByText('5 power finds no room').waitFor();
  assert.deepEqual((await scene(page)).seats[0].towns, []);
  await town.click();
  await page.locator('[data-turnsum] .warn').getByText('5 power finds no room').waitFor();
  /* With a key for one of two tracks they are chosen first. */
  await sitDown(page, server.url, townFounders.replace('cults 5/5/5/5', 'cults 9/9/5/5'));
  await mine(page);
  await clickHex(page, 'E6');
  await page.locator('.tray [data-tile="TW5"]').click();
  const ways = page.locator('.buttons .btn', { hasText: /^Take town tile 8 VP \((Fire|Water)\)$/ });
  await ways.nth(1).waitFor();
  assert.equal(await ways.count(), 2);
  const before = await steps(page);
  await ways.nth(1).click();
  await played(page, before);
  assert.deepEqual((await scene(page)).seats[0].cults, [9, 10, 6, 6]);
  await sitDown(page, server.url, halflings());
  await choose(page, 'action ACT5');
  await mine(page);
  await page.locator('[data-deed="forfeit"]').first().click();
  await warned('Spades lost: 1', await steps(page));
  /* Power of a cult level; actions that passing leaves behind. */
  await sitDown(page, server.url, halflings().replace('bowls 4/4/6', 'bowls 0/0/12'));
  await mine(page);
  await page.locator('[data-send="WATER"]').click();
  await warned('2 power finds no room', await steps(page));
  await sitDown(page, server.url, position({ faction: 'auren', home: 'green green', build: ['SH F4'] }).replaceAll('BON3', 'BON2'));
  await mine(page);
  await page.locator('[data-deed="pass"]').click();
  await page.locator('[data-tile="BON5"]').click();
  await tip.nth(1).waitFor();
  assert.deepEqual((await tip.allInnerTexts()).map((text) => text.trim()), ['Action still unused: 1 cult step', 'Action still unused: 2 cult steps']);
  /* Income of the next round for which there is no room. */
  await sitDown(page, server.url, halflings('', ['TE E6', 'TP D8']).replace('P 3', 'P 7').replace('bowls 4/4/6', 'bowls 0/0/14'));
  await mine(page);
  await page.locator('[data-deed="pass"]').click();
  await page.locator('[data-tile="BON5"]').click();
  await tip.nth(1).waitFor();
  assert.deepEqual((await tip.allInnerTexts()).map((text) => text.trim()), ['Next income: 4 power finds no room', 'Next income: priests lost: 1']);
});

test('a step of a turn is undone and redone, a confirmed turn is taken back', async () => {
  await sitDown(page, server.url, halflings());
  const purse = ({ seats: [{ C, W, points, pieces }] }) => ({ C, W, points, pieces });
  const before = await mine(page);
  const count = await steps(page);
  const undo = page.getByRole('button', { name: 'Undo' });
  const reached = (n) => page.waitForFunction((wanted) => document.querySelectorAll('.log .acts button').length === wanted && document.querySelector('[data-turn="mine"]'), n);
  assert.ok(await undo.isDisabled(), 'nothing is done yet');
  await choose(page, 'upgrade E6 to TP');
  const upgraded = await mine(page);
  assert.notDeepEqual(purse(upgraded), purse(before));
  await undo.click();
  await reached(count);
  assert.deepEqual(await scene(page), before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await reached(count + 1);
  assert.deepEqual(await scene(page), upgraded);
  await choose(page, 'done');
  assert.equal((await mine(page)).report, 1);
  assert.ok(await undo.isDisabled(), 'a confirmed turn stays');
  await menu(page, 'Take back a turn');
  await reached(count);
  assert.deepEqual(await scene(page), before);
  assert.equal(await page.locator('.aside .board:not(.away) .res .r-C b').innerText(), String(before.seats[0].C), 'the board shows it');
  await choose(page, 'upgrade E6 to TP');
  await undo.click();
  await reached(count);
  assert.deepEqual(await scene(page), before, 'what was taken back is open again');
});

/** What a faction board says of its special actions: which can be taken now, which are free, which used. */
const spaces = (board) => board.evaluate((node) => {
  const told = (css) => [...node.querySelectorAll(`.chip${css}`)].map((chip) => `${chip.querySelector('svg').getAttribute('aria-label')}: ${chip.textContent.replace('Use: ', '')}`).sort();
  return { now: told('[data-special]'), free: told('.plain:not(.used)'), used: told('.used') };
});

test('special actions are free, then used, and free again in the next round', async () => {
  await sitDown(page, server.url, position({ faction: 'auren', home: 'green green', build: ['SH F4'], purse: 'has FAV6' }).replaceAll('BON3', 'BON2'));
  const own = page.locator('.aside .board:not(.away)');
  const other = page.locator('.aside details.other:not(.self)');
  const turn = async (...deeds) => { for (const deed of [...deeds, 'done']) await choose(page, deed); await mine(page); };
  const [card, faction, favour] = ['Bonus card: 1 cult step', 'Faction: 2 cult steps', 'Favour tile: 1 cult step'];
  await mine(page);
  assert.deepEqual(await spaces(own), { now: [card, faction, favour], free: [], used: [] });
  for (const deed of ['action ACTA', '+2FIRE']) await choose(page, deed);
  await mine(page);
  const once = { now: [], free: [`${card}: free`, `${favour}: free`], used: [`${faction}: used`] };
  assert.deepEqual(await spaces(own), once, 'one a turn');
  await turn();
  await other.locator('> summary').click();
  await other.locator('.bowls').waitFor();
  await becomes(() => spaces(other), once, 'others see it');
  await turn('send p to FIRE for 3');
  assert.deepEqual(await spaces(own), { now: [card, favour], free: [], used: [`${faction}: used`] });
  await turn('action FAV6', '+WATER');
  await becomes(() => spaces(other), { now: [], free: [`${card}: free`], used: [`${faction}: used`, `${favour}: used`] });
  await turn('send p to AIR for 3');
  await turn('action BON2', '+EARTH');
  await becomes(() => spaces(other), { now: [], free: [], used: [card, faction, favour].map((one) => `${one}: used`) });
  /* A new round; the card has gone to the other. */
  await turn('send p to EARTH for 3');
  await turn('pass BON6');
  await turn('pass BON2');
  assert.equal((await scene(page)).round, 4);
  assert.deepEqual(await spaces(own), { now: [faction, favour], free: [], used: [] });
  await other.locator('> summary').click();
  await other.locator('.bowls').waitFor();
  await becomes(() => spaces(other), { now: [], free: [`${card}: free`], used: [] });
});

test('in the last round no further income is promised', async () => {
  const income = page.locator('.aside .board:not(.away) details', { hasText: 'Next income' });
  await sitDown(page, server.url, halflings());
  await mine(page);
  assert.equal(await income.count(), 1);
  await sitDown(page, server.url, halflings().replace('round 3', 'round 6'));
  await mine(page);
  assert.equal(await income.count(), 0);
  assert.equal(await page.locator('.aside .board:not(.away) [data-noincome]').innerText(), 'Last round: no more income.');
});

test('the extra tile of the end lies beside the round tiles', async () => {
  await sitDown(page, server.url, halflings());
  assert.equal(await page.locator('.top .rounds li').count(), 6);
  const extra = halflings().replace('seed:', 'option final-scoring: building-on-edge\nseed:').replace('\tcards', '\tfinal building-on-edge\n\tcards');
  await sitDown(page, server.url, extra);
  assert.match(await page.locator('.top .rounds li').nth(6).innerText(), /18, 12, 6\s+Final tile\s+Buildings at the edge of the map/);
});

test('all choices of one hex are told, however many', async () => {
  await sitDown(page, server.url, halflings('', ['TP E6', 'D F5']));
  await choose(page, 'upgrade E6 to SH');
  const now = await mine(page);
  const [cell, most] = now.cells.map((one) => [one.cell, [...now.actions, ...now.plans].filter((action) => action.cell === one.cell).length]).sort((a, b) => b[1] - a[1])[0];
  assert.ok(most > 4, `${cell} has ${most}`);
  await clickHex(page, cell);
  assert.equal(await page.locator('.tip.score h2').count(), most);
});

test('hex names are shown when asked for', async () => {
  await sitDown(page, server.url, halflings());
  await mine(page);
  const names = page.locator('svg.board text.name');
  assert.equal(await names.count(), 0);
  await page.getByText('Terrain wheel', { exact: true }).click();
  await page.getByLabel('Hex names').check();
  await names.getByText('F3', { exact: true }).waitFor();
  await page.getByLabel('Hex names').uncheck();
  await names.first().waitFor({ state: 'detached' });
});

test('power offers are answered by rule', async () => {
  const near = halflings().replace('build 2 D I4', 'build 2 D D5 E4').replaceAll('ship 0 dig 0 bowls 4/4/4', 'ship 0 dig 0 bowls 6/4/2');
  for (const [rule, vp] of [['never', 0], ['always', 0], ['0', 0]]) {
    await sitDown(page, server.url, near);
    await mine(page);
    for (const deed of ['dig 2. build D4', 'done']) await choose(page, deed);
    const now = await mine(page);
    assert.equal(now.offers.length, 1);
    const before = await steps(page);
    await page.locator('[data-policy]').selectOption(rule);
    await played(page, before);
    const last = await page.locator('.log .acts button').last().innerText();
    assert.match(last, rule === 'never' ? /declines/ : /takes 1 power/);
    assert.equal((await scene(page)).seats[1].points, 20 - vp);
  }
});

test('a rule is that of the seat which is asked, however busy the page is', async () => {
  await sitDown(page, server.url, halflings().replace('build 2 D I4', 'build 2 D D5 E4').replaceAll('ship 0 dig 0 bowls 4/4/4', 'ship 0 dig 0 bowls 6/4/2'));
  await mine(page);
  await page.evaluate(() => { globalThis.requestIdleCallback = () => 0; });
  try {
    for (const deed of ['dig 2. build D4', 'done']) await choose(page, deed);
    await mine(page);
    const before = await steps(page);
    await page.locator('[data-policy]').selectOption('never');
    await played(page, before);
    assert.match(await page.locator('.log .acts button').last().innerText(), /declines/);
  } finally {
    await page.reload();
  }
});

test('an offer of two power costs a point: the button says so, and each rule ends differently', async () => {
  const near = halflings().replace('build 2 D I4', 'build 2 TP D5 E4').replaceAll('ship 0 dig 0 bowls 4/4/4', 'ship 0 dig 0 bowls 6/4/2');
  const results = {};
  for (const rule of ['never', '0', '1', 'always', '9']) {
    await sitDown(page, server.url, near);
    await mine(page);
    for (const deed of ['dig 2. build D4', 'done']) await choose(page, deed);
    const { offers } = await mine(page);
    assert.deepEqual(offers.map(({ gain, price }) => [gain, price]), [[2, 1]]);
    assert.equal((await page.locator('[data-deed="leech"]').innerText()).trim(), 'Take 2 power for 1 VP');
    const before = await steps(page);
    await page.locator('[data-policy]').selectOption(rule);
    await played(page, before);
    const { points, bowls } = (await scene(page)).seats[1];
    results[rule] = [points, bowls.join('/')];
  }
  const [refused, taken] = [[20, '6/4/2'], [19, '4/6/2']];
  assert.deepEqual(results, { never: refused, 0: refused, 1: taken, always: taken, 9: taken });
  assert.deepEqual(await page.locator('[data-policy] option').evaluateAll((all) => all.map((one) => one.value)), ['ask', 'always', 'never', ...'0123456789']);
});

test('of several offers each is told with its own price', async () => {
  const offered = async () => {
    await sitDown(page, server.url, twoOffers);
    for (const deed of twoBuilds) await choose(page, deed);
    await mine(page);
  };
  const texts = async (kind) => (await page.locator(`[data-deed="${kind}"]`).allInnerTexts()).map((text) => text.trim());
  const bowls = async () => { const { points, bowls } = (await scene(page)).seats[1]; return [points, ...bowls]; };
  const answer = async (press) => {
    const before = await steps(page);
    await press();
    await played(page, before);
    return bowls();
  };
  await offered();
  assert.deepEqual(await texts('leech'), ['Take 1 power', 'Take 2 power for 1 VP']);
  assert.deepEqual(await texts('decline'), ['Decline 1 power', 'Decline 2 power']);
  assert.equal(await page.locator('.prompt b').innerText(), 'Player 2: 2 offers: 1 power (Chaos Magicians), 2 power (Chaos Magicians)');
  assert.deepEqual(await answer(() => page.getByRole('button', { name: 'Take 2 power for 1 VP' }).click()), [19, 4, 6, 2]);
  await mine(page);
  assert.deepEqual([await texts('leech'), await texts('decline')], [['Take 1 power'], ['Decline']]);
  await offered();
  const before = await steps(page);
  await page.locator('[data-policy]').selectOption('0');
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length >= count + 2, before);
  assert.deepEqual(await bowls(), [20, 5, 5, 2], 'only what costs nothing is taken');
});

test('four buildings found a town, a temple brings a favour tile, the last pass a new round', async () => {
  await sitDown(page, server.url, townFounders);
  const listed = () => page.locator('.players li').evaluateAll((all) => all.map((li) => `${li.querySelector('.turn').lastChild.textContent} ${li.querySelector('div > b').textContent}`));
  await mine(page);
  assert.deepEqual(await listed(), ['1 Player 1', '2 Player 2']);
  for (const deed of ['upgrade E6 to TP', '+TW1']) await choose(page, deed);
  await mine(page);
  const held = page.locator('.aside .board:not(.away) [data-held]');
  assert.deepEqual((await held.allInnerTexts()).map((text) => text.trim().replace(/^.*\n/s, '')), ['6 coins', '5 VP, 6 coins']);
  assert.deepEqual(await held.locator('[data-icon]').evaluateAll((all) => all.map((one) => one.dataset.icon)), ['BON3', 'TW1']);
  for (const deed of ['done', 'pass BON5', 'done', 'upgrade F3 to TE', '+FAV11', 'done', 'pass BON6', 'done']) await choose(page, deed);
  const now = await mine(page);
  assert.deepEqual([now.round, now.seats[0].town_tiles, now.seats[0].favours], [4, 1, [11]]);
  /* Whoever passed first begins. */
  assert.deepEqual(now.order, [1, 0]);
  await becomes(listed, ['1 Player 2', '2 Player 1']);
  await page.locator('[data-rule]', { hasText: 'Your turn' }).waitFor(); // below the edge it follows a little later
});
