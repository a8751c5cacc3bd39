// Every page, in both themes and sizes: pictures, accessibility, languages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { closeTyping, done, launch, looker, open, openTyping, root, screens, serve, shot, sizes, startGame, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* Most of a real game of three, so that there is something to see. */
const record = readFileSync(`${root}tests/games/nova/026-island-3-en-greedy.nova`, 'utf8')
  .split('\n').filter((line) => !/^\[(Result|End)/.test(line)).slice(0, 47).join('\n');

async function importRecord(page, text, title) {
  await page.goto(`${server.url}#/import`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('.scrub').waitFor();
  return page.url().split('/').pop();
}

for (const [size, theme] of screens)
  test(`all pages, ${size}, ${theme}`, async () => {
    const page = await open(browser, server.url, { size, theme });
    const look = looker(page, `${size}-${theme}`);
    await look('landing');
    await page.goto(`${server.url}#/games`);
    await look('no-games');
    for (const [address, name] of [['new', 'new-game'], ['import', 'import'], ['settings', 'settings'], ['learn', 'learn'], ['lobby', 'lobby'], ['account', 'account'], ['play/none', 'missing']]) {
      await page.goto(`${server.url}#/${address}`);
      await page.locator('main h1').waitFor();
      if (name === 'new-game') await page.locator('.sum svg.board').waitFor({ state: 'attached' });
      await look(name);
    }
    const id = await importRecord(page, record, 'Sunday island');
    await look('replay');
    const analyse = page.getByRole('button', { name: 'Analyse' });
    if (await analyse.count()) {
      await analyse.click();
      await page.locator('.cand li').first().waitFor();
      await look('replay-analysis');
    }
    await page.goto(`${server.url}#/play/${id}`);
    await page.locator('[data-board]').waitFor();
    await look('play');
    /* A stone that closes land: first previewed, then placed. */
    await openTyping(page);
    await page.locator('.typing input').fill('b1-d1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
    await closeTyping(page);
    await page.locator('[data-board]').focus();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await page.locator('.tip.score').waitFor();
    assert.match(await page.locator('.tip.score').innerText(), /\+24 for you[\s\S]*12 × 2 = 24/);
    await look('preview');
    await page.getByRole('button', { name: 'Place stone' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 2);
    assert.match(await page.locator('.tip.score').innerText(), /12 hexes × 2 = 24 for Player 2/);
    await look('scored');
    await page.goto(`${server.url}#/games`);
    await page.locator('.card').waitFor();
    await look('games');
    await page.goto(`${server.url}#/play/${id}`);
    await page.locator('[data-board]').waitFor();
    await page.getByRole('button', { name: 'Game menu' }).click();
    await look('menu');
    await page.getByRole('button', { name: 'Share and export' }).click();
    await page.locator('dialog textarea').waitFor();
    await look('share');
    assert.deepEqual(look.broken, []);
    await done(page);
  });

for (const [locale, words] of [['nl-NL', ['Drie werelden', 'Partij beginnen', 'Verplaats een pionier']], ['sv-SE', ['Tre världar', 'Börja partiet', 'Flytta en pionjär']], ['de-DE', ['Drei Welten', 'Partie beginnen', 'Beweg einen Pionier']]])
  test(`the game speaks ${locale}`, async () => {
    const page = await open(browser, server.url, { locale });
    assert.match(await page.locator('h1').innerText(), new RegExp(words[0]));
    assert.equal(await page.getAttribute('html', 'lang'), locale.slice(0, 2));
    await page.goto(`${server.url}#/new`);
    await page.locator('#option-setup').selectOption('random');
    await page.getByRole('button', { name: words[1] }).locator('visible=true').click();
    await page.locator('.actionbar .prompt b', { hasText: words[2] }).waitFor();
    await shot(page, `play-${locale}`);
    await done(page);
  });

/* One whole game of each kind is shipped, one click from the landing page. */
test('sample games are watched from the landing page', async () => {
  const page = await open(browser, server.url);
  for (const [game, title] of [['nova', 'Terra Nova'], ['terrax', 'Terra-X'], ['mystica', 'Terra Mystica']]) {
    await page.goto(server.url);
    await page.locator(`a[href="#/sample/${game}"]`).click();
    await page.locator('.scrub').waitFor();
    assert.match(await page.locator('h1').first().innerText(), new RegExp(title));
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.waitForFunction(() => { const rail = document.querySelector('.scrub input'); return Number(rail.max) > 20 && rail.value === rail.max; });
    const [now, all] = (await page.locator('.scrub .tk').innerText()).match(/\d+/g);
    assert.equal(now, all, `${game}: the last turn`);
    await page.waitForURL(new RegExp(`#/sample/${game}/\\d+$`));
    await shot(page, `sample-${game}`);
  }
  await page.goto(`${server.url}#/sample/chess`);
  await page.locator('[role=alert]').waitFor();
  await done(page);
});

test('the icon, and the picture of a link', async () => {
  const page = await open(browser, server.url);
  const named = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('link[rel*=icon], meta[property="og:image"]')].map((one) => [one.rel ?? 'picture', one.href ?? one.content])));
  assert.deepEqual(Object.keys(named).sort(), ['apple-touch-icon', 'icon', 'picture']);
  for (const [what, address] of Object.entries(named)) {
    const answer = await page.request.get(new URL(address, server.url).href);
    assert.equal(answer.status(), 200, what);
    assert.match(answer.headers()['content-type'], /^image\//, what);
  }
  const size = await page.evaluate(async (address) => { const picture = new Image(); picture.src = address; await picture.decode(); return [picture.naturalWidth, picture.naturalHeight]; }, named.picture);
  assert.deepEqual(size, [1200, 630]);
  await done(page);
});

test('another language without a reload', async () => {
  const page = await open(browser, server.url);
  await page.goto(`${server.url}#/settings`);
  await page.evaluate(() => { window.same = true; });
  for (const [locale, title, play] of [['de', 'Einstellungen', 'Spielen'], ['nl', 'Instellingen', 'Spelen'], ['sv', 'Inställningar', 'Spela'], ['en', 'Settings', 'Play']]) {
    await page.locator('main select').first().selectOption(locale);
    await page.locator('main h1', { hasText: title }).waitFor();
    assert.equal(await page.getAttribute('html', 'lang'), locale);
    assert.match(await page.title(), new RegExp(title));
    await page.locator('nav a', { hasText: play }).first().waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => window.same), true);
  }
  await page.locator('main select').first().selectOption('de');
  await page.locator('main h1', { hasText: 'Einstellungen' }).waitFor();
  await page.reload();
  await page.locator('main h1', { hasText: 'Einstellungen' }).waitFor();
  await done(page);
});

test('text at 200 % keeps everything reachable', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  await page.setViewportSize({ width: 700, height: 450 });
  await page.waitForTimeout(200);
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.waitForTimeout(200);
  await shot(page, 'play-tablet');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await done(page);
});
