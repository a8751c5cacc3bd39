// Terra Mystica at one screen: a whole game against a bot by mouse, turns by
// keyboard, pass and play, and the table in both themes on two screens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done, launch, open, openTyping, serve, shot, violations } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/* Keeps the last scene the worker gave, to know what may be clicked. */
const tap = () => {
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    #asked = new Map();
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data: { id, value } }) => {
        if (this.#asked.get(id) === 'snapshot') globalThis.shownScene = value.scene;
        this.#asked.delete(id);
      });
    }
    postMessage(message) {
      this.#asked.set(message.id, message.method);
      super.postMessage(message);
    }
  };
};

async function table(options, players = ['human', 'random']) {
  const page = await open(browser, 'about:blank', options);
  await page.addInitScript(tap);
  await page.goto(`${server.url}#/new/mystica`);
  await page.locator('.sum svg.board').waitFor();
  for (let i = 0; i < players.length; i++) await page.getByLabel(`Who plays for player ${i + 1}`).selectOption(players[i]);
  await page.locator('button:visible', { hasText: /Start the/ }).click();
  await page.locator('[data-board]').waitFor();
  return page;
}

const scene = (page) => page.evaluate(() => globalThis.shownScene);
const steps = (page) => page.locator('.log .acts button').count();

/** Waits until a person may act; null once the game is over. */
async function mine(page) {
  await page.waitForFunction(() => document.querySelector('a.btn.primary[href^="#/replay"]') || document.querySelector('[data-turn="mine"]'));
  const now = await scene(page);
  return now.phase === 'over' ? null : now;
}

async function clickHex(page, cell) {
  const at = await page.evaluate((name) => {
    const label = [...document.querySelectorAll('svg.board text.name')].find((text) => text.textContent === name);
    const point = new DOMPoint(Number(label.getAttribute('x')), Number(label.getAttribute('y')) - 23).matrixTransform(label.getScreenCTM());
    return { x: point.x, y: point.y };
  }, cell);
  await page.mouse.click(at.x, at.y);
}

/** Chooses an action as a person would; true once it is played. */
async function act(page, now, action) {
  const before = await steps(page);
  const { kind, text } = action;
  const commit = page.locator('.buttons .btn:not(.quiet)').filter({ hasNotText: 'Cancel' });
  if (kind === 'done' || kind === 'leech' || kind === 'decline' || kind === 'forfeit') await page.locator(`[data-deed="${kind}"]`).first().click();
  else if (kind === 'convert' || kind === 'burn') await page.locator('[data-convert]').first().click();
  else if (['step', 'connect', 'unlock', 'colour'].includes(kind)) await page.locator(`[data-deed="${kind}"]`).first().click();
  else {
    let index = 0;
    if (kind === 'pick') await page.locator(`[data-faction="${text.split(' ')[1]}"]`).click();
    else if (kind === 'favour') await page.locator(`[data-tile="${text.slice(1)}"]`).click();
    else if (kind === 'town') await page.locator(`[data-tile="${text.slice(1, 4)}"]`).click();
    else if (kind === 'pass') {
      if (now.phase === 'actions') await page.locator('[data-deed="pass"]').click();
      if (text !== 'pass') await page.locator(`[data-tile="${text.slice(5)}"]`).click();
    } else if (kind === 'send') await page.locator(`[data-send="${text.split(' ')[3]}"]`).click();
    else if (kind === 'action') await page.locator(/ACT\d$/.test(text) ? `[data-power="${text.slice(7)}"]` : `[data-special="${text}"]`).click();
    else if (kind === 'ship' || kind === 'spade') await page.getByRole('button', { name: kind === 'ship' ? /Advance Shipping/ : /Advance Spade/ }).click();
    else {
      await clickHex(page, action.cell);
      index = now.actions.filter((a) => a.cell === action.cell || a.to === action.cell).findIndex((a) => a.text === text);
    }
    await commit.nth(index).click();
  }
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
}

/* Builds and upgrades first, then whatever is there, and no more than a few
 * conversions: enough to see every part of a turn. */
const order = ['leech', 'decline', 'pick', 'favour', 'town', 'step', 'bridge', 'upgrade', 'build', 'transform', 'done', 'send', 'action', 'ship', 'spade', 'unlock', 'colour', 'connect', 'forfeit', 'pass'];
function wanted(now, seen) {
  const list = now.actions.filter((a) => order.includes(a.kind));
  const rank = (a) => order.indexOf(a.kind) + (seen.has(a.kind) && ['upgrade', 'build', 'send', 'action', 'ship', 'spade'].includes(a.kind) ? 0.5 : 0);
  if (now.phase === 'pick') return list.find((a) => a.text.endsWith('witches')) ?? list[0];
  const fresh = list.filter((a) => !seen.has(a.kind) && !['done', 'pass', 'forfeit', 'leech', 'decline'].includes(a.kind)).sort((a, b) => rank(a) - rank(b))[0];
  return fresh ?? list.sort((a, b) => rank(a) - rank(b))[0];
}

test('a game against a bot is played to its end by mouse', async () => {
  const page = await table({});
  const seen = new Set();
  let middle = false;
  for (let turn = 0; turn < 400; turn++) {
    const now = await mine(page);
    if (!now) break;
    const action = wanted(now, seen);
    assert.ok(action, `nothing to choose among ${now.actions.map((a) => a.text).join(', ')}`);
    await act(page, now, action);
    seen.add(action.kind);
    if (!middle && now.round === 3 && now.phase === 'actions') {
      middle = true;
      await shot(page, 'mystica-desktop-light');
      assert.deepEqual(await violations(page), []);
    }
  }
  const end = await scene(page);
  assert.equal(end.phase, 'over');
  for (const kind of ['pick', 'build', 'upgrade', 'favour', 'pass', 'done']) assert.ok(seen.has(kind), `no ${kind} among ${[...seen].join(', ')}`);
  const totals = await page.locator('.flat table tr.sum td').allInnerTexts();
  assert.deepEqual(totals.map(Number), end.seats.map((seat) => seat.points), 'the lines of the final scoring add up');
  await shot(page, 'mystica-over');
  await done(page);
});

test('two people share a screen; power is offered and can be refused', async () => {
  const page = await table({}, ['human', 'human']);
  await openTyping(page);
  const type = async (line) => {
    const before = await steps(page);
    await page.locator('.typing input').fill(line);
    await page.locator('.typing input').press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
    const confirm = page.getByRole('button', { name: 'Confirm turn' });
    if (await confirm.isVisible()) await confirm.click();
  };
  for (const line of ['setup witches', 'setup nomads', 'build C3', 'build B4', 'build E8', 'build C4', 'build A5']) {
    await mine(page);
    await type(line);
  }
  for (let i = 0; i < 2; i++) {
    const now = await mine(page);
    await type(now.actions[0].text);
  }
  const now = await mine(page);
  const upgrade = now.actions.find((a) => a.text === 'upgrade C4 to TP');
  assert.ok(upgrade, 'an upgrade is possible in the first turn');
  let clicks = 0;
  await clickHex(page, upgrade.cell); clicks++;
  await page.locator('.tip.score').getByText(upgrade.cell).first().waitFor();
  await page.locator('.buttons .btn.primary').click(); clicks++;
  await page.locator('[data-deed="done"]').click(); clicks++;
  assert.ok(clicks <= 3);
  await page.waitForFunction(() => globalThis.shownScene.offers.length === 1);
  const next = await mine(page);
  assert.deepEqual(next.offers.map(({ to, gain, price }) => [to, gain, price]), [[1, 1, 0]]);
  assert.match(await page.locator('[data-deed="leech"]').innerText(), /Take 1 power/);
  const before = await steps(page);
  await page.locator('[data-deed="decline"]').click();
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  assert.equal((await mine(page)).offers.length, 0);
  await done(page);
});

test('the map is played by keyboard alone', async () => {
  const page = await table({});
  const now = await mine(page);
  await act(page, now, now.actions.find((a) => a.text.endsWith('witches')) ?? now.actions[0]);
  await page.waitForFunction(() => globalThis.shownScene.phase === 'dwell' && document.querySelector('[data-turn="mine"]'));
  const before = await steps(page);
  await page.locator('[data-board]').focus();
  await page.keyboard.press('.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  await done(page);
});

for (const [size, theme] of [['desktop', 'dark'], ['phone', 'light'], ['phone', 'dark']]) {
  test(`the table on a ${size}, ${theme}`, async () => {
    const page = await table({ size, theme });
    let now = await mine(page);
    if (size === 'phone' && theme === 'light') await shot(page, 'mystica-pick-phone');
    assert.deepEqual(await violations(page), []);
    for (let i = 0; i < 9 && now; i++) {
      const before = await steps(page);
      const action = wanted(now, new Set());
      if (!(await page.locator('.typing').isVisible())) await page.keyboard.press('/');
      await page.locator('.typing input').fill(action.text);
      await page.locator('.typing input').press('Enter');
      await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
      const confirm = page.getByRole('button', { name: 'Confirm turn' });
      if (await confirm.isVisible()) await confirm.click();
      now = await mine(page);
    }
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await shot(page, `mystica-${size}-${theme}`);
    assert.deepEqual(await violations(page), []);
    if (size === 'phone') {
      await page.getByRole('button', { name: 'Players' }).click();
      await shot(page, `mystica-${size}-${theme}-players`);
      assert.deepEqual(await violations(page), []);
    }
    await done(page);
  });
}
