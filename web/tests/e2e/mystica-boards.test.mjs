// The boards of Terra Mystica: factions, one's own at large and the others at a
// glance, cults, rounds, supplies and faction cards; every width of screen; and
// pictures of the map that leave with the colours of the screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { begin, mine, sitDown, tap } from './mystica.mjs';
import { artefacts, becomes, done, launch, open, root, serve, shot, violations, zooms } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

const whole = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
/* Round 4 of a game of five, before its first action. */
const middle = `${whole.slice(0, whole.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;

async function table(options) {
  const page = await open(browser, 'about:blank', options);
  await page.addInitScript(tap);
  await sitDown(page, server.url, middle);
  await page.locator('.toast').waitFor({ state: 'detached' });
  return { page, now: await mine(page) };
}

const title = (faction) => faction[0].toUpperCase() + faction.slice(1);
const height = async (locator) => (await locator.boundingBox()).height;

/** What a faction board shows of its player. */
const shown = (board) => board.evaluate((node) => {
  const texts = (selector) => [...node.querySelectorAll(selector)].map((one) => one.textContent);
  return { purse: texts('.res > span > b').slice(0, 3).map(Number), bowls: texts('.bowls b').map(Number), built: texts('.houses .slots').length, here: [...node.querySelectorAll('.houses .slots')].map((slots) => slots.querySelectorAll('i').length), tracks: node.querySelectorAll('.track li.now').length };
});
const told = ({ C, W, P, bowls, pieces }) => ({ purse: [C, W, P], bowls, built: 5, here: pieces.slice(0, 5), tracks: 2 });

for (const size of ['desktop', 'phone']) {
  test(`one's own board is large, those of others are compact, and all can be opened, on a ${size}`, async () => {
    const { page, now } = await table({ size });
    if (size === 'phone') await page.getByRole('button', { name: 'Players' }).click();
    const large = page.locator('.aside .board:not(.away)');
    const compact = page.locator('.aside details.other:not(.self)');
    const me = now.seats[now.report];
    const others = now.seats.filter((_, i) => i !== now.report);
    assert.equal(await large.count(), 1);
    assert.equal(await large.locator('h2').innerText(), title(me.faction));
    assert.deepEqual(await shown(large), told(me));
    const houses = await large.locator('.houses .slots').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    const workers = (from, to) => { const n = me.yields.D_W[to] - me.yields.D_W[from]; return n ? `${n} worker${n > 1 ? 's' : ''}` : '–'; };
    const [standing] = me.pieces;
    assert.equal(houses[0], `dwelling: ${8 - standing} of 8 left; income uncovered: ${workers(0, standing)}; uncovers ${workers(standing, standing + 1)}`);
    const own = await height(large);
    assert.equal(await compact.count(), others.length);
    for (const [i, seat] of others.entries()) {
      const one = compact.nth(i);
      assert.ok(5 * await height(one) < own, `${seat.faction} takes ${await height(one)} of ${own} pixels`);
      assert.match(await one.locator('> summary').innerText(), new RegExp(`^${title(seat.faction)}[^]*\\b${seat.points}$`));
      assert.equal(await one.locator('.bowls').count(), 0, 'what nobody has opened is not there');
      await one.locator('> summary').click();
      await one.locator('.bowls').waitFor();
      assert.deepEqual(await shown(one), told(seat), seat.faction);
      assert.ok(2 * await height(one) > own, 'opened it is as large as one’s own');
      assert.equal(await one.getByRole('button').count(), 0, 'nothing can be done on the board of another');
    }
    assert.deepEqual(await violations(page), []);
    await shot(page, `mystica-boards-${size}`);
    for (let i = 0; i < others.length; i++) await compact.nth(i).locator('> summary').click();
    await page.locator('.aside details.other .bowls').first().waitFor({ state: 'detached' });
    /* Income and points by source: closed, opened, and true. */
    const points = large.locator('details', { hasText: 'Points by source' });
    const income = large.locator('details', { hasText: 'Next income' });
    for (const part of [points, income]) {
      assert.equal(await part.locator('li').count(), 0);
      await part.locator('summary').click();
      await part.locator('li').first().waitFor();
    }
    const sources = await points.locator('li span:last-child').allInnerTexts();
    assert.deepEqual(sources.map((text) => Number(text.replace('−', '-'))), Object.values(me.sources).filter(Boolean));
    const numbers = (texts) => texts.map((text) => (text.match(/\d+/g) ?? []).map(Number));
    const amounts = ({ C, W, P, PW }) => [C, W, P, PW].filter(Boolean);
    const { sum, ...parts } = me.income;
    const brought = Object.values(parts).map(amounts).filter((of) => of.length);
    assert.ok(brought.length >= 2);
    assert.deepEqual(numbers(await income.locator('li span:nth-child(2)').allInnerTexts()), brought);
    assert.deepEqual(numbers(await income.locator('.inc b').allInnerTexts()).flat(), amounts(sum));
    await done(page);
  });
}

test('cults, rounds, power actions and supplies are those of the game, every tile in words', async () => {
  const { page, now } = await table({});
  const texts = (css, from = page) => from.locator(css).evaluateAll((all) => all.map((one) => one.textContent.replace(/\s+/g, ' ').trim()));
  /* Cults: who stands where, from the top, what a level gives, and the priests. */
  const columns = page.locator('.cultpanel .cult');
  assert.equal(await columns.count(), 4);
  for (let t = 0; t < 4; t++) {
    const levels = await columns.nth(t).locator('ol > li').evaluateAll((all) => all.map((li) => [...li.querySelectorAll('.on > svg')].map((one) => one.getAttribute('aria-label'))));
    assert.deepEqual(levels, Array.from({ length: 11 }, (_, k) => now.seats.flatMap((seat, i) => (seat.cults[t] === 10 - k ? [`Player ${i + 1}: ${10 - k}`] : []))));
    assert.deepEqual(await columns.nth(t).locator('li.mark .lv').allInnerTexts(), ['10', '7', '5', '3']);
    /* In words: who is ahead, and what the levels give; a mark where the first stand. */
    const top = Math.max(...now.seats.map((seat) => seat.cults[t]));
    const first = now.seats.flatMap((seat, i) => (seat.cults[t] === top ? [`Player ${i + 1}`] : [])).join(', ');
    const said = await columns.nth(t).getAttribute('aria-label');
    assert.match(said, new RegExp(`^(Fire|Water|Earth|Air): ${first} ahead, level ${top}\\. Power at levels 3, 5, 7 and 10: 1, 2, 2 and 3; level 10 takes a town key\\.$`));
    assert.deepEqual(await columns.nth(t).locator('li').evaluateAll((all) => all.flatMap((li, k) => (li.matches('.lead') ? [10 - k] : []))), [top]);
    const priests = await columns.nth(t).locator('.spaces').getAttribute('aria-label');
    assert.deepEqual(priests.split(': ')[1].split(', '), now.priests[t].map((of) => (of ? `Player ${of}` : 'free')));
  }
  assert.ok(now.priests.flat().some(Boolean), 'priests have been sent');
  /* Rounds: which it is, and what each scores and gives, also where there is no room for it. */
  const rounds = page.locator('.top .rounds li:not(.final)');
  assert.deepEqual(await page.locator('.top .rounds .final').evaluateAll((all) => all.map((li) => li.dataset.final)), now.final === 'none' ? [] : [now.final]);
  assert.deepEqual(await rounds.evaluateAll((all) => all.map((li) => li.className.includes('now'))), now.score.map((_, i) => i + 1 === now.round));
  for (const words of await rounds.evaluateAll((all) => all.map((li) => li.title))) assert.match(words, /^per .+\. (\w+ \d: \d \w+|Last round)/);
  assert.deepEqual(await page.locator('.top .rounds').evaluate((list) => [...list.querySelectorAll('li, li > span:not(.words)')].filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth).map((one) => one.textContent)), [], 'nothing of it is cut off');
  const [{ bottom }, { top }] = await Promise.all(['.top', '[data-board]'].map((css) => page.locator(css).evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return { top, bottom }; })));
  assert.ok(bottom <= top, 'and it leaves the map alone');
  /* Power actions: free or taken. */
  assert.deepEqual(await page.locator('.aside [data-power].used').evaluateAll((all) => all.map((one) => one.dataset.power)), now.used.filter((id) => /^ACT\d$/.test(id)));
  /* What I hold. */
  const me = now.seats[now.report];
  assert.equal((await texts('.board:not(.away) .held li')).length, 1 + me.favours.length + Math.min(1, me.town_tiles));
  /* What is left: every tile says how many there are and what it does. */
  await page.locator('[data-supply] summary').click();
  await page.locator('[data-supply] .stock li').first().waitFor();
  const [favours, towns, cards] = await Promise.all([0, 1, 2].map((k) => texts('li', page.locator('[data-supply] .stock').nth(k))));
  assert.deepEqual(favours.map((text) => Number(/(\d) ×$/.exec(text)?.[1])), now.favours);
  assert.deepEqual(towns.map((text) => Number(/(\d) ×$/.exec(text)?.[1])), now.towns.filter((n, i) => n > 0 || i < 5));
  for (const text of [...favours, ...towns, ...cards]) assert.match(text, /[a-z]{3}/i);
  const cults = await page.locator('[data-supply] .stock').first().locator('svg').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.equal(new Set(favours.map((text, i) => `${cults[i]} ${text}`)).size, 12);
  assert.deepEqual(cards.map((text) => [Number(/(\d+) coins? on it/.exec(text)?.[1] ?? 0), Number(/held by Player (\d)/.exec(text)?.[1] ?? 0)]), now.cards.map(({ coins, seat }) => [coins, seat + 1]));
  assert.deepEqual(await violations(page), []);
  await done(page);
});

test('whatever stands on the map is drawn: terrain, rivers, buildings, towns, tiles, bridges', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  await sitDown(page, server.url, whole.join('\n'));
  await mine(page);
  const now = await page.evaluate(() => globalThis.shownScene);
  /* Marks of one kind are the corners of one line. */
  const drawn = await page.locator('[data-board] .view').evaluate((view) => Object.fromEntries([...view.querySelectorAll('path[marker-start]')].map((line) => [/#[^-]*-(.*)\)$/.exec(line.getAttribute('marker-start'))[1], line.getAttribute('d').match(/[ML]/g).length])));
  const terrains = { yellow: 'desert', brown: 'plains', black: 'swamp', blue: 'lakes', green: 'forest', gray: 'mountains', red: 'wasteland', ice: 'ice', volcano: 'volcano' };
  const there = {};
  const count = (key) => { there[key] = (there[key] ?? 0) + 1; };
  for (const { piece, terrain, seat, town } of now.cells) {
    count(`${piece ?? ''}-${terrains[piece ? now.seats[seat].colour : terrain] ?? 'river'}`);
    if (town) count('town-');
  }
  assert.deepEqual(drawn, there);
  for (const key of ['-river', 'town-', 'X-lakes', 'SH-mountains', 'SA-plains']) assert.ok(there[key], key);
  assert.ok(now.bridges.length > 0);
  assert.equal(await page.locator('[data-board] .bridge').count(), now.bridges.length);
  await done(page);
});

test('a faction is chosen from its card; nobody has a board before', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  await begin(page, server.url, ['human', 'human'], () => page.locator('#option-special-landscapes').selectOption('all'));
  const now = await mine(page);
  const cards = page.locator('article');
  await cards.first().waitFor();
  assert.equal(await page.locator('[data-rule]').getAttribute('data-rule'), 'faction');
  assert.deepEqual(await page.locator('.aside .bowls').evaluateAll((all) => all.filter((one) => one.checkVisibility({ checkOpacity: true }))), [], 'what was rehearsed is not seen');
  const seen = await cards.evaluateAll((all) => all.map((card) => ({
    name: card.querySelector('button b').textContent, hard: card.querySelector('.hard .vh').textContent, prices: card.querySelectorAll('.row:nth-of-type(2) svg').length, words: [...card.querySelectorAll('p')].map((p) => p.textContent.length),
    start: /Start: \d+ coins, \d+ worker/.test(card.textContent), tile: card.querySelector('.land b')?.textContent ?? '', icon: card.querySelector('.land [data-icon]')?.dataset.icon ?? '',
  })));
  assert.equal(seen.length, new Set(now.actions.filter(({ kind }) => kind === 'pick').map(({ text }) => text)).size);
  for (const card of seen) {
    assert.match(card.hard, /^Difficulty: (easy|middling|hard)$/i, card.name);
    assert.ok(card.prices >= 5 && card.start && card.tile && card.icon, JSON.stringify(card));
    assert.ok(Math.min(...card.words) > 15, 'ability and tile are told');
  }
  assert.equal(new Set(seen.map(({ tile }) => tile)).size, seen.length);
  const labels = await cards.locator('svg[aria-label]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.ok(labels.includes('Fire') && !labels.includes('FIRE'));
  assert.deepEqual(await violations(page), []);
  await done(page);
});

test('the table fits screens of 390 to 2560 px', async () => {
  const { page } = await table({});
  for (const width of [390, 600, 760, 761, 1000, 1100, 1101, 1400, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 60))));
    const seen = await page.evaluate(() => {
      const box = (css) => document.querySelector(css).getBoundingClientRect();
      const inside = (css) => { const { left, right, width: w } = box(css); return left >= -1 && right <= innerWidth + 1 && w > 0; };
      const cut = [...document.querySelectorAll('.actionbar .btn, .purse > span, .rounds li, .players li')].filter((one) => one.checkVisibility()).filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < -1 || right > innerWidth + 1; });
      return { over: document.scrollingElement.scrollWidth - innerWidth, board: inside('[data-board]'), bar: inside('.actionbar'), map: box('[data-board]').height, cut: cut.map((one) => one.textContent) };
    });
    assert.ok(seen.over <= 0, `${width}: ${seen.over} px too wide`);
    assert.ok(seen.board && seen.bar && seen.map > 280, `${width}: ${JSON.stringify(seen)}`);
    assert.deepEqual(seen.cut, [], `${width}`);
  }
  await done(page);
});

test('on a phone the map opens close to the action, is zoomed and moved, and a tap tells of a hex', async () => {
  const { page, now } = await table({ size: 'phone' });
  const strip = await page.locator('.pseats > div').evaluateAll((all) => all.map((one, seat) => [one.getBoundingClientRect().left, seat]).sort(([a], [b]) => a - b).map(([, seat]) => seat));
  assert.deepEqual(strip, now.order, 'the seats stand in the order of their turns');
  const view = () => page.locator('[data-board] .view').evaluate((g) => [...g.style.transform.matchAll(/-?[\d.]+/g)].map(Number));
  await zooms(page, 1, true); /* it opens close to the action */
  const [, , near] = await view();
  await page.getByRole('button', { name: 'Zoom in' }).tap();
  await zooms(page, near, true);
  const [x] = await view();
  const { x: left, y: top, width, height: high } = await page.locator('[data-board]').boundingBox();
  await page.mouse.move(left + width / 2, top + high / 2);
  await page.mouse.down();
  await page.mouse.move(left + width / 2 - 60, top + high / 2, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await becomes(async () => (await view())[0] < x, true, 'it is moved');
  await page.getByRole('button', { name: 'Whole board' }).tap();
  await becomes(async () => (await view())[2], 1);
  const lit = page.locator('[data-board] [data-cell="E6"]');
  const box = await lit.boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('.tip.score').getByText('E6, plains').waitFor();
  await done(page);
});

/** The colours of a picture around those places, from 0 to 1 across and down. */
const coloursAt = (page, picture, places, around) => page.evaluate(async ({ data, list, by }) => {
  const image = new Image();
  image.src = data;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  return list.map(({ x, y }) => {
    const { data: bytes } = pen.getImageData(Math.round(x * canvas.width) - by, Math.round(y * canvas.height) - by, 2 * by + 1, 2 * by + 1);
    return Array.from({ length: bytes.length / 4 }, (_, i) => [...bytes.subarray(4 * i, 4 * i + 3)]);
  });
}, { data: picture, list: places, by: around });

/* Five places on every hex that nothing lies over: terrain, building, emblem, whatever is drawn there. */
const placesOf = (page) => page.evaluate(() => {
  const board = document.querySelector('[data-board] svg.board');
  const [, , width, height] = board.getAttribute('viewBox').split(' ').map(Number);
  return [...board.querySelectorAll('[data-cell]')].flatMap((hex) => {
    const { x, y, width: w, height: h } = hex.getBBox();
    return [[0.5, 0.5], [0.5, 0.14], [0.16, 0.5], [0.84, 0.5], [0.34, 0.7]].flatMap(([a, b]) => {
      const at = new DOMPoint(x + a * w, y + b * h).matrixTransform(board.getScreenCTM());
      if (!board.contains(document.elementFromPoint(at.x, at.y))) return [];
      return { cell: hex.dataset.cell, picture: { x: (x + a * w) / width, y: (y + b * h) / height }, screen: { x: at.x / innerWidth, y: at.y / innerHeight } };
    });
  });
});

for (const theme of ['light', 'dark']) {
  test(`pictures of the map have the colours of the screen, ${theme}`, async () => {
    const { page } = await table({ theme });
    await page.evaluate(() => document.fonts.ready);
    const places = await placesOf(page);
    assert.ok(places.length > 500);
    const png = (bytes) => `data:image/png;base64,${bytes.toString('base64')}`;
    const alike = (a, b) => a.every((part, i) => Math.abs(part - b[i]) <= 8);
    const screen = await coloursAt(page, png(await page.screenshot()), places.map((one) => one.screen), 1);
    /* Edges are smoothed differently: compared is what is plain all around. */
    const plain = places.flatMap((_, i) => (screen[i].every((one) => alike(one, screen[i][0])) ? [i] : []));
    assert.ok(plain.length > 400, `${plain.length} places of one colour`);
    assert.ok(new Set(plain.map((i) => String(screen[i][0]))).size > 12, 'many colours are seen');
    await page.getByRole('button', { name: 'Game menu' }).click();
    await page.getByRole('button', { name: 'Share and export' }).click();
    for (const kind of ['PNG', 'SVG']) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Picture (${kind})` }).click()]);
      const path = `${artefacts}mystica-picture-${theme}.${kind.toLowerCase()}`;
      await download.saveAs(path);
      const bytes = readFileSync(path);
      const picture = kind === 'PNG' ? png(bytes) : `data:image/svg+xml;base64,${bytes.toString('base64')}`;
      const seen = await coloursAt(page, picture, places.map((one) => one.picture), 0);
      const wrong = plain.filter((i) => !alike(seen[i][0], screen[i][0])).map((i) => `${places[i].cell} ${screen[i][0]} is ${seen[i][0]}`);
      assert.deepEqual(wrong, [], kind);
    }
    await done(page);
  });
}
