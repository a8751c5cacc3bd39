// Terra-X, several people at one screen: what somebody has looked at, asked or
// typed is gone before the next one looks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomes, done, launch, open, openTyping, serve, shot, zoomed } from './table.mjs';
import { from, imported, replayed, scene, takeScreen, tap, type } from './terrax.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* Mount Fuji is nobody's affair but the first player's. */
const secret = /FUJ|Fuji/;
const position = `A:SCA>rCOP B:SCA>gRIG C:SCA>KIZ | seat 1 base 1 green 0 loop - loops 0 used 0
hand 1: FUJ TAJ RAI
hand 2: TRO POM DEL
open: TUN YEL LAL BOR CHI PET`;
const text = `game: terrax\nseats: 2\nstart:\n${position.replace(/^/gm, '\t')}\n`;

const html = (page) => page.evaluate(() => document.documentElement.outerHTML);
const rings = (page) => page.locator('[data-board] circle[stroke="var(--warm)"]').count();
const card = (page) => page.locator('.hand [data-card=FUJ]');

/** Behind the curtain, and before the one who lifts it, nothing tells of the card. */
async function gone(page, how) {
  await page.locator('.curtain').waitFor();
  assert.doesNotMatch(await html(page), secret, `${how}: behind the curtain`);
  assert.equal((await takeScreen(page)).viewer, 1);
  assert.doesNotMatch(await html(page), secret, `${how}: before the next player`);
  assert.equal(await rings(page), 0, `${how}: nothing is pointed out`);
}

test('a card that was looked at is not shown to the next player', async () => {
  const page = await from(browser, server.url, position);
  await type(page, 'A>NEB');
  for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await card(page).click({ position: { x: 10, y: 50 } });
  await page.locator('.tip', { hasText: 'Mount Fuji' }).waitFor();
  await becomes(() => rings(page), 2); /* chosen, and under the pointer */
  await page.locator('[data-deed=end]').click();
  await gone(page, 'the end of the turn');
  assert.equal(await page.locator('.tip').count(), 0);
  assert.equal(await zoomed(page), 1, 'nor does the map lie where it was looked for');
  await done(page);
});

test('a place that was gone to by keys is not told to the next player', async () => {
  const page = await from(browser, server.url, position);
  await type(page, 'A>NEB');
  const board = page.locator('[data-board]');
  await board.focus();
  for (let i = 0; i < 3 && !/Fuji/.test(await page.locator('[data-live=polite]').innerText()); i++) await page.keyboard.press('.');
  assert.match(await page.locator('[data-live=polite]').innerText(), /Mount Fuji.*your mission/);
  await page.locator('[data-deed=end]').click();
  await gone(page, 'by keys');
  await page.keyboard.press('Tab');
  await board.focus();
  await page.locator('[data-board] circle[stroke="var(--focus)"]').waitFor();
  assert.doesNotMatch(await html(page), secret, 'the keys begin anew');
  await done(page);
});

test('who speaks out of turn finds no advice, no typed line and nothing that was said', async () => {
  const page = await from(browser, server.url, position, 'option claims: manual\n');
  await card(page).click({ position: { x: 10, y: 50 } });
  await page.getByRole('button', { name: 'Complete mission' }).click();
  await page.locator('.toast', { hasText: 'FUJ' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('h');
  await page.locator('.hints li').first().waitFor();
  await openTyping(page);
  await page.locator('.typing input').fill('$xFUJ A>STO');
  await page.keyboard.press('Enter');
  await page.locator('.typing .fault').waitFor();
  await page.locator('[data-claim="1"]').click();
  await gone(page, 'a word out of turn');
  assert.equal(await page.locator('.hints, .toast, .typing .fault').count(), 0);
  assert.equal(await page.locator('[data-board] circle[r="12"]').count(), 0, 'no advice on the map');
  assert.equal(await page.locator('.typing input').inputValue(), '');
  await done(page);
});

test('the keyboard goes on where the curtain was lifted, which tells what is asked', async () => {
  const page = await from(browser, server.url, position);
  await type(page, 'A>NEB end');
  await page.locator('.curtain').waitFor();
  await page.keyboard.press('Enter');
  await becomes(() => page.locator('[data-live=polite]').innerText(), 'Player 2: Lay an arrow with any expedition');
  await becomes(() => page.evaluate(() => document.activeElement.id), 'main');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement.matches('[data-board]')), 'the map is next');
  await done(page);
});

test('neither a reload nor the way back shows a hand that was not taken over', async () => {
  const page = await from(browser, server.url, position);
  const table = page.url();
  await type(page, 'A>NEB');
  for (const leave of [() => page.reload(), () => page.goto(`${server.url}#/games`).then(() => page.goBack())]) {
    await page.evaluate(() => { globalThis.shownScene = null; });
    await leave();
    await page.locator('.curtain').waitFor();
    assert.equal(page.url(), table);
    assert.equal((await takeScreen(page)).viewer, 0, 'still the turn of the first player');
    await card(page).waitFor();
  }
  /* The arrow is still theirs to take back, without another curtain. */
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => globalThis.shownScene.colours[0].arrows.length === 1);
  assert.equal(await page.locator('.curtain').count(), 0);
  await done(page);
});

test('a replay of a game that goes on hides one hand before it shows another', async () => {
  const page = await replayed(browser, server.url, text);
  const own = () => page.locator('[data-board] circle[r="16.500"]').count();
  const eyes = page.getByLabel('Seen by');
  await eyes.waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try a line' }).count(), 0, 'what is hidden cannot be played on');
  assert.deepEqual(await eyes.locator('option').evaluateAll((all) => all.map((one) => one.value)), ['-1', '0', '1']);
  await eyes.selectOption('0');
  assert.equal(await own(), 0);
  await page.locator('.curtain .btn.primary').click();
  await becomes(own, 3);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.cand li').first().waitFor();
  await page.locator('[data-board]').focus();
  for (let i = 0; i < 3 && !secret.test(await page.locator('[data-live=polite]').innerText()); i++) await page.keyboard.press('.');
  assert.match(await page.locator('[data-live=polite]').innerText(), secret);
  await eyes.selectOption('1');
  await page.locator('.curtain').waitFor();
  assert.equal(await own(), 0, 'no hand behind the curtain');
  assert.equal(await page.locator('.cand').count(), 0, 'nor what it advises');
  assert.doesNotMatch(await html(page), secret);
  await page.locator('.curtain .btn.primary').click();
  await becomes(own, 3);
  assert.doesNotMatch(await html(page), secret);
  await done(page);
});

test('once all hands have been shown no turn is taken back', async () => {
  const page = await imported(browser, server.url, text.replace('seats: 2\n', 'seats: 2\noption max_rounds: 1\n'));
  const entries = async () => { await page.getByRole('button', { name: 'Game menu' }).click(); const all = await page.locator('.drop button').allInnerTexts(); await page.keyboard.press('Escape'); return all.map((one) => one.trim()); };
  assert.ok((await entries()).includes('Resign'));
  await type(page, 'A>NEB end');
  await takeScreen(page);
  await type(page, 'B>WIE end');
  await page.waitForFunction(() => globalThis.shownScene.phase === 'over');
  const after = await entries();
  assert.ok(after.includes('Try a line') && !after.some((one) => /take back/i.test(one)), after.join());
  await done(page);
});

test('on a phone a mission in a list is shown on the map', async () => {
  const page = await open(browser, 'about:blank', { size: 'phone' });
  await page.context().addInitScript(tap);
  await page.goto(`${server.url}#/import`);
  await page.locator('textarea').fill(text.replace('C:SCA>KIZ', 'C:-'));
  await page.locator('main button.primary').click();
  await page.waitForURL(/#\/replay\//);
  await page.goto(page.url().replace('/replay/', '/play/'));
  await takeScreen(page);
  const { places } = (await scene(page)).map;
  await page.getByRole('button', { name: 'Players' }).tap();
  await page.locator('.openlist button', { hasText: places.find(({ id }) => id === 'YEL').name.en }).tap();
  const ring = page.locator('[data-board] circle[stroke="var(--warm)"]').last();
  await ring.waitFor();
  const [map, there] = [await page.locator('[data-board]').boundingBox(), () => ring.boundingBox()];
  await becomes(async () => { const { x, y } = await there(); return x > map.x && y > map.y && x < map.x + map.width && y < map.y + map.height; }, true);
  /* Its ring leaves its name alone. */
  const [circle, name] = [await there(), await page.locator('.names text', { hasText: 'Yellowstone' }).boundingBox()];
  assert.ok(name.x > circle.x + circle.width - 1 || name.x + name.width < circle.x + 1 || name.y > circle.y + circle.height - 1 || name.y + name.height < circle.y + 1, 'the ring covers the name');
  await shot(page, 'terrax-phone-open');
  /* So is an expedition, and where it would begin. */
  await page.getByRole('button', { name: 'Players' }).tap();
  await page.locator('[data-colour=C]').tap();
  const hub = page.locator('[data-board] use[href="#g-hub"]');
  await becomes(async () => { const { x, y } = (await hub.boundingBox()) ?? {}; return x > map.x && y > map.y && x < map.x + map.width && y < map.y + map.height; }, true);
  await done(page);
});
