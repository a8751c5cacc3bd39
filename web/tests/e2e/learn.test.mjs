// Learning: the exercises by keyboard alone, and the rule books.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ears, nextPlace, playOut, press, said, tabTo, tree } from './keys.mjs';
import { done, launch, looker, open, screens, serve, shot, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/** Waits until the exercise is there: then its heading takes the focus, and what was typed before would be lost. */
const begun = (page) => page.waitForFunction(() => document.activeElement?.id === 'task');

const solutions = ['d1-h5 h5-h8 h8-d8', 'c1-c5 *c6', 'c1-c5 *c4 *d5', 'f6-f4 *f3', 'f5-f4 *f3', 'f6-f3 f3-e2 *f3', 'f6-f3 f3-e2 *f3', 'd2-e2 *f3', 'e4-f4 *f3 *e4'];

test('the exercises of Terra Nova by keyboard alone, and progress stays', async () => {
  const page = await open(browser, `${server.url}#/lesson/nova`);
  await begun(page);
  assert.match(await page.locator('main').innerText(), /Exercise 1 of 10/);

  /* The first one on the board itself: Enter takes the pioneer, and arrows lead it. */
  await tabTo(page, '[data-board]');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('.task .good').waitFor();
  await page.keyboard.press('Enter');

  for (const [k, solution] of solutions.entries()) {
    const i = k + 1;
    await page.locator('.task', { hasText: `Exercise ${i + 1} of 10` }).waitFor();
    await begun(page);
    if (i === 4) { /* another turn is noticed, and begun again */
      await tabTo(page, '.typing input');
      await page.keyboard.type('f6-f7 f7-f8 d2-c2');
      await page.keyboard.press('Enter');
      await page.locator('.bad', { hasText: 'different turn' }).waitFor();
      await tabTo(page, '.buttons .primary');
      await page.keyboard.press('Enter');
      await page.locator('.bad').waitFor({ state: 'detached' });
    }
    await tabTo(page, '.typing input');
    await page.keyboard.type(solution);
    await page.keyboard.press('Enter');
    await page.locator('.task .good').waitFor();
    const next = await page.evaluate(() => document.activeElement?.textContent?.trim());
    assert.equal(next, i === 9 ? 'Play now' : 'Next exercise');
    if (i === 3) {
      await page.reload();
      await page.locator('.task', { hasText: 'Exercise 5 of 10' }).waitFor();
      assert.equal(await page.locator('.dots .done').count(), 4);
    } else if (i < 9) await page.keyboard.press('Enter');
  }
  assert.match(await page.locator('.task .good').innerText(), /All exercises are solved/);
  await page.goto(`${server.url}#/learn`);
  await page.getByText('10 of 10 solved').waitFor();
  await done(page);
});

test('the exercises of Terra-X by keyboard alone', async () => {
  const page = await open(browser, `${server.url}#/lesson/terrax`);
  for (const [i, solution] of ['A>NEB', 'B>gRIG|+B>WIE', 'A>rCOP', 'A>SCA|~A@STO>CAR', '$A-CAR', '!1:NEB'].entries()) {
    await page.locator('.task', { hasText: `Exercise ${i + 1} of 6` }).waitFor();
    await begun(page);
    for (const action of solution.split('|')) {
      await tabTo(page, '.typing input');
      await page.keyboard.type(action);
      await page.keyboard.press('Enter');
      await page.waitForFunction((text) => document.querySelector('.played')?.textContent?.includes(text), action);
    }
    await page.locator('.task .good').waitFor();
    if (i < 5) await page.keyboard.press('Enter');
  }
  await page.locator('.task .good', { hasText: 'All exercises are solved' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('href') === '#/new/terrax');
  await page.goto(`${server.url}#/learn`);
  await page.getByText('6 of 6 solved').waitFor();
  await done(page);
});

/* Round 1 builds once and then passes, round 2 passes at once: whatever the other
 * seat does, two rounds take a few turns. */
test('the guided first game of Terra Mystica to its end by keyboard alone', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(ears);
  await page.goto(`${server.url}#/learn`);
  await press(page, 'a[href="#/lesson/mystica"]');
  await page.locator('[data-lesson="income"]').waitFor();

  const lesson = page.locator('[data-lesson]');
  const told = [], places = [];
  const gotIt = async () => {
    const id = await lesson.getAttribute('data-lesson');
    const words = (await lesson.locator('p').innerText()).trim();
    await said(page, words.slice(0, 60));
    told.push(id);
    await tabTo(page, '[data-lesson] button');
    if (told.length === 1) {
      const nodes = await tree(page);
      assert.ok(nodes.some((node) => node.role === 'button' && node.name === 'Got it' && node.focused), 'the button is in the tree');
      assert.ok(nodes.some((node) => node.live === 'polite' && node.role !== 'status'), 'in a region that is read');
      assert.deepEqual(await violations(page), []);
      await shot(page, 'keys-guide');
    }
    await page.keyboard.press('Enter');
    await page.waitForFunction((old) => document.querySelector('[data-lesson]')?.dataset.lesson !== old, id);
    assert.ok(await page.evaluate(() => document.activeElement !== document.body), `after ${id} the keyboard is still at the table`);
  };

  /* What has been explained is remembered. */
  await gotIt();
  await page.locator('[data-lesson="action"]').waitFor();
  await page.reload();
  await page.locator('[data-lesson="action"]').waitFor();
  await page.goto(`${server.url}#/learn`);
  await press(page, 'a[href="#/lesson/mystica"]');
  await page.locator('[data-lesson="action"]').waitFor();

  let built = false;
  const answers = ['[data-deed="decline"]', '.tray [data-tile]', '.tray [data-deed]', '[data-deed="done"]'];
  await playOut(page, 80, async () => {
    if (await lesson.count()) {
      if (await lesson.getAttribute('data-lesson') === 'finish') return 'enough';
      return gotIt();
    }
    await page.waitForFunction((list) => list.some((css) => document.querySelector(`${css}:not([disabled])`)), [...answers, '[data-deed="pass"]']);
    for (const css of answers) if (await page.locator(`${css}:not([disabled])`).count()) return press(page, `${css}:not([disabled])`);
    if (built) {
      await press(page, '[data-deed="pass"]');
      await page.waitForFunction(() => document.activeElement?.matches('.tray'));
      return undefined;
    }
    built = true;
    return nextPlace(page, places);
  });
  await said(page, 'Two rounds done.');
  assert.match(places[0], /you can act here/);
  for (const id of ['income', 'action', 'spades', 'power', 'cults', 'passing', 'bonus']) assert.ok(told.includes(id), `${id} is not among ${told.join(', ')}`);
  assert.equal(new Set(told).size, told.length, 'nothing is explained twice');
  assert.ok((await tree(page)).some((node) => node.role === 'link' && node.name === 'New game'), 'and where to go from here');
  await gotIt();
  await page.goto(`${server.url}#/learn`);
  await page.getByText('2 of 2 rounds played').waitFor();
  await done(page);
});

test('a refused action leads to its paragraph', async () => {
  const page = await open(browser, `${server.url}#/lesson/nova`);
  await begun(page);
  await page.locator('.typing input').fill('d1-h8');
  await page.keyboard.press('Enter');
  await page.locator('.toast a').click();
  await page.locator('[id="p5.1"].here').waitFor();
  assert.match(await page.evaluate(() => location.hash), /#\/rules\/nova\/5\.1/);
  await done(page);
});

for (const [locale, word, hits] of [['en-GB', 'return rule', /5\.2/], ['nl-NL', 'terugkeerregel', /5\.2/], ['sv-SE', 'återgångsregeln', /5\.2/], ['de-DE', 'Rückkehrregel', /5\.2/]])
  test(`the rule books in ${locale}`, async () => {
    const page = await open(browser, `${server.url}#/rules/nova`, { locale });
    await page.locator('figure img').first().waitFor();
    assert.equal(await page.locator('figure img').count(), 6);
    const all = await page.locator('article section').count();
    await page.locator('.search input').fill(word);
    await page.waitForFunction((count) => document.querySelectorAll('article section').length < count, all);
    assert.match(await page.locator('article').innerText(), hits);
    await page.locator('.search input').fill('xyzzy');
    await page.waitForFunction(() => document.querySelectorAll('article section').length === 0);
    for (const game of ['terrax', 'mystica']) {
      await page.goto(`${server.url}#/rules/${game}`);
      await page.locator('figure img').first().waitFor();
    }
    for (const [game, id] of [['terrax', '7'], ['mystica', '6.1.3'], ['mystica', '18.10']]) {
      await page.goto(`${server.url}#/rules/${game}/${id}`);
      await page.locator(`[id="p${id}"].here`).waitFor();
    }
    await done(page);
  });

test('the rule books on paper: the text alone, black on white', async () => {
  const page = await open(browser, `${server.url}#/rules/nova`, { theme: 'dark' });
  await page.locator('figure img').first().waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const left of ['.appbar', '.contents', '.games', '.search', '.noprint']) assert.equal(await page.locator(left).first().isVisible(), false, left);
  const inks = await page.evaluate(() => [...document.querySelectorAll('h1, article h2, article h3, article p, article td, figcaption')]
    .map((one) => Math.max(...getComputedStyle(one).color.match(/\d+/g).slice(0, 3).map(Number))));
  assert.ok(inks.length > 100 && Math.max(...inks) <= 0x55, `the palest ink is ${Math.max(...inks)}`);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
  await done(page);
});

for (const [size, theme] of screens)
  test(`learning looks right, ${size}, ${theme}`, async () => {
    const page = await open(browser, server.url, { size, theme });
    const look = looker(page, `${size}-${theme}`);
    for (const [address, name, wait] of [['learn', 'learn', '.ways'], ['lesson/nova/close', 'lesson', '[data-board]'], ['lesson/terrax/loop', 'lesson-terrax', '.boardwrap svg'], ['rules/nova/7.4', 'rules', 'figure img'], ['rules/terrax/7', 'rules-terrax', 'figure img'], ['rules/mystica/7', 'rules-mystica', 'figure img']]) {
      await page.goto(`${server.url}#/${address}`);
      await page.locator(wait).first().waitFor();
      await look(name);
    }
    assert.deepEqual(look.broken, []);
    await done(page);
  });
