// Everybody can play: a small whole game of each kind with nothing but keys, its
// tables described to screen readers; colours never alone; large text; fingers;
// strong contrast; no motion.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { ears, hear, nextPlace, number, pick, playOut, press, said, tabTo, tree } from './keys.mjs';
import { mine, sitDown, tap } from './mystica.mjs';
import { position } from './mystica-cases.mjs';
import { becomes, done, launch, open, root, serve, shot, tiny, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* ---- whole games with keys alone ---- */

const count = (page) => page.locator('.log .acts button').count();
const grown = (page, before) => page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, before);
const over = (page) => page.locator('a.btn.primary[href^="#/replay"]').count();

/** The table in that tree: a described board, named controls, players and points. */
async function described(page, game) {
  await tabTo(page, '[data-board]');
  const nodes = await tree(page);
  const board = nodes.find((node) => node.role === 'application');
  assert.ok(board, 'the board is in the tree');
  assert.ok(board.focused, 'and has the focus');
  assert.match(board.name, new RegExp(game));
  assert.match(board.description, /Enter chooses/);
  assert.deepEqual(nodes.filter((node) => node.focusable && !node.name && !['RootWebArea', 'main'].includes(node.role)).map((node) => node.role), [], 'everything that takes the focus has a name');
  for (const role of ['main', 'banner', 'heading']) assert.ok(nodes.some((node) => node.role === role), `there is a ${role}`);
  assert.ok(nodes.some((node) => node.role === 'heading' && node.name === 'Players'));
}

async function begin(page, game, choose) {
  await page.addInitScript(ears);
  await page.goto(`${server.url}#/new/${game}`);
  await page.locator('.sum svg.board').waitFor();
  await choose();
  await press(page, 'button.primary.lg.desk-only');
  await page.locator('[data-board]').waitFor();
}

/** The end: a result that is said, and no rule of accessibility broken. */
async function ended(page, name) {
  const nodes = await tree(page);
  assert.ok(nodes.some((node) => node.role === 'link' && /replay/i.test(node.name)), 'the way to the replay is in the tree');
  await said(page, / won | share the win /);
  assert.deepEqual(await violations(page), []);
  await shot(page, `keys-${name}-over`);
}

test('a whole small game of Terra Nova with keys alone', async () => {
  const page = await open(browser, 'about:blank');
  await begin(page, 'nova', async () => {
    await pick(page, '.srow:nth-child(2) select.sel', 'human');
    await pick(page, '#option-setup', 'random');
    await number(page, '#option-stones', 4);
  });
  await described(page, 'Terra Nova');
  const heard = new Set();
  for (let turn = 0; turn < 8 && !(await over(page)); turn++) {
    for (let action = 0; action < 3 && !(await over(page)); action++) {
      const before = await count(page);
      await tabTo(page, '[data-board]');
      if (action === 0) {
        assert.match(await hear(page, '.'), /^\w+, [\w ]+, your pioneer, can move to \d+ hex/);
        await hear(page, 'Enter');
        assert.match(await hear(page, '.'), /free, the chosen pioneer can move here/);
        heard.add('move');
      } else {
        for (let i = 0; i < 60; i++) {
          if (/a stone can go here/.test(await hear(page, '.'))) { heard.add('stone'); break; }
        }
      }
      await page.keyboard.press('Enter');
      await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n || document.querySelector('.buttons .btn.cancel'), before);
      if (await count(page) === before) await page.keyboard.press('Enter'); /* of several actions here the first */
      await grown(page, before);
    }
    await page.locator('.buttons .btn.primary').waitFor();
    await page.keyboard.press('c');
    await page.waitForFunction(() => document.querySelector('a.btn.primary[href^="#/replay"]') || document.querySelectorAll('.step.done').length === 0);
  }
  assert.ok(await over(page), 'the game is over');
  assert.deepEqual([...heard].sort(), ['move', 'stone']);
  await ended(page, 'nova');
  await done(page);
});

test('a whole small game of Terra-X with keys alone', async () => {
  const page = await open(browser, 'about:blank');
  await begin(page, 'terrax', async () => {
    await pick(page, '.srow:nth-child(2) select.sel', 'random');
    await number(page, '#option-hand', 5);
    await press(page, 'button[aria-expanded=false].quiet');
    await number(page, '#option-markers', 1);
    await number(page, '#option-max_rounds', 2);
  });
  await described(page, 'Terra-X');
  const heard = [];
  await playOut(page, 60, async () => {
    if (await page.locator('[data-deed].primary:not([disabled])').count()) return press(page, '[data-deed].primary');
    return nextPlace(page, heard);
  });
  assert.ok(heard.some((text) => /legal next step of/.test(text)), heard.join(' | '));
  await ended(page, 'terrax');
  await done(page);
});

/* Six rounds in which both only settle and pass. */
test('a whole small game of Terra Mystica with keys alone', async () => {
  const page = await open(browser, 'about:blank');
  await begin(page, 'mystica', () => pick(page, '.srow:nth-child(2) select.sel', 'human'));
  await described(page, 'Terra Mystica');
  const heard = [];
  const ways = ['[data-faction]', '[data-deed="decline"]', '.tray [data-tile]', '.tray [data-deed]', '[data-deed="done"]', '[data-deed="pass"]', '[data-deed="forfeit"]'];
  await playOut(page, 120, async () => {
    /* Trays are drawn when the page has nothing better to do. */
    await page.waitForFunction((list) => list.some((css) => document.querySelector(`${css}:not([disabled])`)) || document.querySelector('path.legal:not([d=""])'), ways);
    for (const css of ways) if (await page.locator(`${css}:not([disabled])`).count()) return press(page, `${css}:not([disabled])`);
    return nextPlace(page, heard);
  });
  assert.ok(heard.some((text) => /you can act here/.test(text)), heard.join(' | '));
  await ended(page, 'mystica');
  await done(page);
});

/* What a mouse shows at a glance is said: costs, gains, what follows. */
test('costs and gains in Terra Mystica are heard with keys alone', async () => {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(ears);
  await page.addInitScript(tap);
  const near = position({ faction: 'halflings', home: 'brown brown', build: ['TP E6', 'D F5'] });
  await sitDown(page, server.url, near.replace('build 2 D I4', 'build 2 D E7').replace('bowls 4/4/4', 'bowls 6/4/2').concat('\tterrain blue E7\n'));
  await mine(page);
  const commit = async () => {
    const before = await count(page);
    await page.keyboard.press('c');
    await grown(page, before);
    return mine(page);
  };
  await tabTo(page, '[data-board]');
  for (let i = 0, text = ''; !text.startsWith('E6,'); i++) {
    assert.ok(i < 60, 'E6 is not among what can be chosen');
    text = await hear(page, '.');
  }
  const chosen = await hear(page, 'Enter');
  assert.match(chosen, /^E6, plains, trading house of Halflings\. Temple on E6: costs 5 coins, 2 workers; then a favour tile; Player 2 may take 1 power\. Stronghold on E6: costs 8 coins, 4 workers/);
  await commit();
  /* The turn so far is told after each of its steps, and again when one is taken back. */
  const sum = page.locator('[data-turnheard][aria-live="polite"]');
  await becomes(() => sum.textContent(), 'This turn: costs 5 coins, 2 workers; bowls 4 · 4 · 6; Player 2 may take 1 power');
  await press(page, '.tray [data-tile="FAV11"]');
  await becomes(() => sum.textContent(), 'This turn: costs 5 coins, 2 workers; Earth 5 → 6; bowls 4 · 4 · 6; Player 2 may take 1 power');
  await page.keyboard.press('u');
  await becomes(async () => /Earth/.test(await sum.textContent()), false);
  await press(page, '.tray [data-tile="FAV11"]');
  await press(page, '[data-deed="done"]');
  await becomes(() => sum.textContent(), '');
  await press(page, '[data-deed="decline"]');
  await press(page, '[data-deed="pass"]');
  await press(page, '.tray [data-tile="BON5"]');
  await commit();
  await press(page, '[data-deed="done"]');
  await press(page, '[data-power="ACT4"]');
  await said(page, /7 coins: brings 7 coins/);
  const now = await commit();
  assert.deepEqual([now.seats[0].pieces[2], now.seats[0].favours, now.seats[0].C], [1, [11], 22]);
  await done(page);
});

/* ---- eyes ---- */

const nova = readFileSync(`${root}tests/games/nova/026-island-3-en-greedy.nova`, 'utf8').split('\n').filter((line) => !/^\[(Result|End)/.test(line)).slice(0, 47).join('\n');
const ledger = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
const mystica = `${ledger.slice(0, ledger.findIndex((line) => line.startsWith('Round 4, turn 1'))).join('\n')}\n`;
const terrax = readFileSync(`${root}tests/games/terrax/6p-greedy-a.txg`, 'utf8');

/** The middle of a game, with all its seats; Terra-X's is watched. */
async function table(page, text, play) {
  await page.goto(`${server.url}#/import`);
  await page.locator('textarea').fill(text);
  await page.locator('main button.primary').click();
  await page.locator('.scrub').waitFor();
  if (!play) return;
  await page.goto(`${server.url}#/play/${page.url().split('/').pop()}`);
  await page.locator('[data-board]').waitFor();
}
const tables = [['nova', nova, true, 3], ['mystica', mystica, true, 5], ['terrax', terrax, false, 6]];

/** How much two small pictures differ: the share of pixels that do so clearly. */
const differ = (a, b) => {
  let many = 0;
  for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 120) many++;
  return many / (a.length / 4);
};

/** Pictures as pixels, read by a page of its own. */
async function pixels(reader, pictures) {
  return reader.evaluate(async (list) => {
    const read = async (text) => {
      const image = new Image();
      image.src = `data:image/png;base64,${text}`;
      await image.decode();
      const canvas = new OffscreenCanvas(26, 26).getContext('2d');
      canvas.drawImage(image, 0, 0, 26, 26);
      return [...canvas.getImageData(0, 0, 26, 26).data];
    };
    return Promise.all(list.map(read));
  }, pictures.map((picture) => picture.toString('base64')));
}

/* The tokens of all seats must differ as pictures, by shape and not by hue alone,
 * so even for an eye that sees no colour at all. */
test('seats, terrains and expeditions are told apart without colour', async () => {
  const page = await open(browser, server.url);
  const reader = await (await browser.newContext()).newPage();
  const cdp = await page.context().newCDPSession(page);
  for (const [name, text, play, seats] of tables) {
    await table(page, text, play);
    const all = page.locator(play ? '.seatrow .pi' : 'aside .log .tok');
    await all.first().waitFor();
    const glyphs = await all.evaluateAll((list) => [...new Map(list.map((node, i) => [(node.matches('use') ? node : node.querySelector('use') ?? node).getAttribute('href'), i])).entries()]);
    assert.equal(glyphs.length, seats, `${name}: every seat has a glyph of its own`);
    for (const type of ['protanopia', 'deuteranopia', 'tritanopia', 'achromatopsia']) {
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type });
      await shot(page, `sight-${name}-${type}`);
      const pictures = [];
      for (const [, i] of glyphs) pictures.push(await all.nth(i).screenshot());
      const seen = await pixels(reader, pictures);
      for (let i = 0; i < seats; i++) for (let k = 0; k < i; k++) assert.ok(differ(seen[i], seen[k]) > 0.04, `${name}, ${type}: ${glyphs[i][0]} and ${glyphs[k][0]} differ in ${differ(seen[i], seen[k])}`);
    }
    await cdp.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
  }
  await reader.context().close();
  await done(page);
});

/* ---- fingers ---- */

test('on a phone everything is at least 44 px under the finger', async () => {
  const page = await open(browser, server.url, { size: 'phone' });
  const found = {};
  const look = async (name) => {
    const list = await tiny(page);
    if (list.length) found[name] = list;
  };
  for (const [address, css] of [['', '.cta'], ['new', '.seats select'], ['games', 'main h1'], ['import', 'textarea'], ['settings', 'main select'], ['learn', '.ways'], ['puzzles', '.art img'], ['puzzles/mystica/2026-03-09', '#pz-task'], ['rules/nova', 'figure img'], ['lesson/nova', '#task'], ['lobby', 'main h1'], ['account', 'main h1']]) {
    await page.goto(`${server.url}#/${address}`);
    await page.locator(css).first().waitFor();
    await look(address || 'landing');
  }
  for (const [name, text, play] of tables) {
    await table(page, text, play);
    await look(name);
    if (!play) continue;
    for (const [tab, css] of [['Players', '[data-tab=players]'], ['Log', '[data-tab=log]'], ['Type', '.typing']]) {
      await page.locator('.tabs button', { hasText: tab }).tap();
      await page.locator(css).waitFor({ state: 'attached' });
      await look(`${name}, ${tab}`);
    }
    await page.getByRole('button', { name: 'Game menu' }).tap();
    await page.locator('.drop').waitFor();
    await look(`${name}, menu`);
  }
  assert.deepEqual(found, {});
  await done(page);
});

/* ---- large text, strong contrast, no motion ---- */

/* Texts that lie over one another, or are cut off without a way to see the rest. */
const crowded = () => {
  const words = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest('svg, option, .vh, [aria-hidden=true], .tip, .toast') || getComputedStyle(parent).clipPath !== 'none' || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 2 && box.height > 2) words.push({ text: node.textContent.trim().slice(0, 24), box, parent });
  }
  const bad = [];
  const inside = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) * 0.4;
  const scrolls = (node) => { for (let n = node; n; n = n.parentElement) if (/auto|scroll/.test(getComputedStyle(n).overflowY) && n.scrollHeight > n.clientHeight + 1) return true; return false; };
  words.forEach((a, i) => words.slice(0, i).forEach((b) => { if (inside(a.box, b.box) && !scrolls(a.parent) && !scrolls(b.parent)) bad.push(`“${a.text}” over “${b.text}”`); }));
  for (const { text, parent } of words) {
    const style = getComputedStyle(parent);
    if (style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis' && parent.scrollWidth > parent.clientWidth + 2) bad.push(`“${text}” is cut off`);
  }
  /* Cards of a hand, the strip of scores and the cult tracks keep what they hold. */
  for (const node of document.querySelectorAll('.mcard, .pseats > div, .cult li')) if (node.checkVisibility() && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)) bad.push(`“${node.textContent.trim().slice(0, 24)}” does not fit`);
  return [...new Set(bad)];
};

/* 1400 px at 200 % are 700; 390 px at 200 % on a phone: letters twice as large,
 * and in German, whose words are the longest. */
for (const [name, size, width, locale] of [['1400', 'desktop', 700, 'en-GB'], ['390', 'phone', 390, 'en-GB'], ['390', 'phone', 390, 'de-DE']])
  test(`text at 200 % of a screen of ${name} px, ${locale}`, async () => {
    const page = await open(browser, server.url, { size, locale });
    await page.setViewportSize({ width, height: 844 });
    const large = size === 'phone';
    const found = {};
    const look = async (state) => {
      if (large) await page.evaluate(() => document.documentElement.style.setProperty('text-size-adjust', '200%'));
      const list = await page.evaluate(crowded);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 1) list.push(`scrolls sideways by ${wide}`);
      if (list.length) found[state] = list;
      if (locale === 'en-GB') await shot(page, `large-${state}-${name}`);
    };
    for (const [address, css] of [['', '.cta'], ['new', '.seats select'], ['settings', 'main select'], ['learn', '.ways'], ['puzzles', '.art img'], ['puzzles/nova/2026-03-09', '#pz-task'], ['puzzles/terrax/2026-03-09', '.mcard'], ['puzzles/mystica/2026-03-09', '#pz-task'], ['sample/terrax/20', '.scrub'], ['rules/nova', 'figure img'], ['lobby', 'main h1']]) {
      await page.goto(`${server.url}#/${address}`);
      await page.locator(css).first().waitFor();
      await look(address.split('/').slice(0, 2).join('-') || 'landing');
    }
    for (const [game, text, play] of tables) {
      await table(page, text, play);
      await look(game);
      if (game !== 'mystica') continue;
      await page.locator('.tabs button').nth(1).click();
      await page.locator('.cultpanel').scrollIntoViewIfNeeded();
      await look('mystica-players');
    }
    assert.deepEqual(found, {});
    await done(page);
  });

test('high contrast by choice and as the system asks, in both themes', async () => {
  for (const theme of ['light', 'dark']) {
    const page = await open(browser, `${server.url}#/settings`, { theme });
    await page.locator('main select').first().waitFor();
    const colours = () => page.evaluate(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; });
    const strong = theme === 'light' ? ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'] : ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'];
    const usual = await colours();
    assert.notDeepEqual(usual, strong);
    await page.getByLabel('Contrast').selectOption('more');
    assert.deepEqual(await colours(), strong);
    assert.deepEqual(await violations(page), []);
    await page.reload();
    await page.locator('main select').first().waitFor();
    assert.deepEqual(await colours(), strong, 'it is remembered');
    /* All tables in one theme, for both take the same care; in a long check in both. */
    for (const [name, text, play] of theme === 'light' || process.env.TERRA_TEST === 'long' ? tables : tables.slice(0, 1)) {
      await table(page, text, play);
      await shot(page, `contrast-${name}-${theme}`);
      assert.deepEqual(await violations(page), [], name);
    }
    await page.goto(`${server.url}#/settings`);
    await page.getByLabel('Contrast').selectOption('system');
    assert.deepEqual(await colours(), usual);
    await page.emulateMedia({ contrast: 'more' });
    await page.waitForFunction(() => document.documentElement.dataset.contrast === 'more');
    assert.deepEqual(await colours(), strong);
    await page.emulateMedia({ contrast: null, forcedColors: 'active' });
    await page.waitForFunction(() => !document.documentElement.dataset.contrast);
    await table(page, nova, true);
    await shot(page, `forced-${theme}`);
    assert.deepEqual(await violations(page), []);
    await done(page);
  }
});

test('who wants no motion gets none', async () => {
  const page = await open(browser, server.url, { motion: 'reduce' });
  for (const [name, text, play] of tables) {
    await table(page, text, play);
    await page.keyboard.press('Home');
    const moving = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().duration > 10).map((one) => one.animationName ?? one.transitionProperty));
    assert.deepEqual(moving, [], name);
  }
  await done(page);
});
