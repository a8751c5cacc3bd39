// Hands on a table of Terra Mystica.
import { shot } from './table.mjs';

/* Keeps the last scene the worker gave, to know what may be clicked. */
export const tap = () => {
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    #asked = new Map();
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data: { id, value } }) => {
        if (['snapshot', 'turn'].includes(this.#asked.get(id)) && value.scene) globalThis.shownScene = value.scene;
        this.#asked.delete(id);
      });
    }
    postMessage(message) {
      this.#asked.set(message.id, message.method);
      super.postMessage(message);
    }
  };
};

/** A new game from the new-game page, with whatever else it should choose there. */
export async function begin(page, url, players = ['human', 'random'], choose = async () => {}) {
  await page.goto(`${url}#/new/mystica`);
  await page.locator('.sum svg.board').waitFor();
  for (let i = 0; i < players.length; i++) await page.getByLabel(`Who plays for player ${i + 1}`).selectOption(players[i]);
  await choose(page);
  await page.locator('button:visible', { hasText: /Start the/ }).click();
  await page.locator('[data-board]').waitFor();
}

export const scene = (page) => page.evaluate(() => globalThis.shownScene);
export const steps = (page) => page.locator('.log .acts button').count();

/** Waits until the log has grown. */
export const played = (page, before) => page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);

/** Waits until a person may act; null once the game is over. */
export async function mine(page) {
  await page.waitForFunction(() => document.querySelector('a.btn.primary[href^="#/replay"]') || document.querySelector('[data-turn="mine"]'));
  const now = await scene(page);
  return now.phase === 'over' ? null : now;
}

export async function clickHex(page, cell) {
  const at = await page.evaluate((name) => {
    const hex = document.querySelector(`svg.board [data-cell="${name}"]`);
    const box = hex.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, cell);
  await page.mouse.click(at.x, at.y);
}

/** Clicks an action together as a person would; gives the button that plays it. */
export async function aim(page, now, { kind, text, cell }) {
  if (kind === 'done' || kind === 'leech' || kind === 'decline' || kind === 'coin') return page.locator(`[data-deed="${kind}"]`).first();
  if (kind === 'convert' || kind === 'burn') return page.locator('[data-convert]').first();
  if (['step', 'connect', 'unlock', 'colour', 'pay', 'token', 'ravens'].includes(kind)) return page.locator(`[data-deed="${kind}"][data-text="${text}"]`);
  let index = 0;
  if (kind === 'pick') await page.locator(`[data-faction="${text.split(' ')[1]}"]`).click();
  else if (kind === 'favour') return page.locator(`[data-tile="${text.slice(1)}"]`);
  else if (kind === 'town') {
    /* With too few keys the tracks are chosen, too. */
    const tile = page.locator(`[data-tile="${text.slice(1, 4)}"]`);
    const ways = now.actions.filter((one) => one.text.startsWith(text.slice(0, 4)));
    if (ways.length === 1) return tile;
    await tile.click();
    index = ways.findIndex((one) => one.text === text);
  }
  else if (kind === 'pass') {
    if (now.phase === 'actions') await page.locator('[data-deed="pass"]').click();
    if (text !== 'pass') await page.locator(`[data-tile="${text.slice(5)}"]`).click();
  } else if (kind === 'send') await page.locator(`[data-send="${text.split(' ')[3]}"]`).click();
  else if (kind === 'action') await page.locator(/ACT\d$/.test(text) ? `[data-power="${text.split(' ').at(-1)}"]` : `[data-special="${text}"]`).click();
  else if (kind === 'forfeit') await page.locator('[data-deed="forfeit"]').first().click();
  else if (kind === 'ship' || kind === 'spade') await page.locator(`[data-advance="${kind === 'ship' ? 'ship' : 'dig'}"]`).click();
  else {
    await clickHex(page, cell);
    index = [...now.actions, ...now.plans].filter((a) => a.cell === cell || a.to === cell).findIndex((a) => a.text === text);
  }
  return page.locator('.buttons .btn:not(.quiet)').filter({ hasNotText: 'Cancel' }).nth(index);
}

/** What can be chosen on the page: hexes, power actions, cults, tracks, special actions, tiles that are asked for. */
export const lit = (page) => page.evaluate(() => {
  const list = (css, key) => [...new Set([...document.querySelectorAll(css)].filter((one) => !one.disabled && one.ariaDisabled !== 'true' && one.checkVisibility({ checkOpacity: true })).map((one) => one.dataset[key]))].sort();
  const board = document.querySelector('svg.board');
  return {
    hexes: board.dataset.open.split(' ').filter(Boolean).sort(), rings: [...board.querySelectorAll('path.legal')].reduce((sum, one) => sum + (one.getAttribute('d').match(/M/g)?.length ?? 0), 0),
    power: list('.aside [data-power]', 'power'), cults: list('[data-send]', 'send'), tracks: list('[data-advance]', 'advance'), special: list('[data-special]', 'special'),
    tiles: list('.tray [data-tile]', 'tile'), factions: list('[data-faction]', 'faction'), ends: ['done', 'leech', 'decline', 'pass'].filter((kind) => document.querySelector(`[data-deed="${kind}"]`)),
  };
});

/** The same as the rules allow it. */
export function allowed({ actions, plans, phase }) {
  const all = [...actions, ...plans];
  const of = (kind, pattern, from = all) => [...new Set(from.filter((one) => one.kind === kind).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []))].sort();
  const hexes = [...new Set(all.flatMap(({ cell, to }) => [cell, to].filter(Boolean)))].sort();
  return {
    hexes, rings: hexes.length, power: of('action', /action (ACT\d)$/), cults: of('send', /send p to (\w+)/), tracks: [...of('spade', /advance (dig)/), ...of('ship', /advance (ship)/)],
    special: all.filter(({ kind, text }) => kind === 'action' && !/ACT\d$/.test(text)).map(({ text }) => text).sort(),
    tiles: [...of('favour', /\+(FAV\d+)/), ...of('town', /\+(TW\d)/), ...(phase === 'cards' ? of('pass', /(BON\d+)/) : [])], factions: of('pick', /(\w+)$/),
    ends: ['done', 'leech', 'decline', 'pass'].filter((kind) => actions.some((one) => one.kind === kind) && (kind !== 'pass' || phase === 'actions')),
  };
}

/** Plays an action as a person would. */
export async function act(page, now, action) {
  const before = await steps(page);
  await (await aim(page, now, action)).click();
  await played(page, before).catch(async () => {
    await shot(page, 'mystica-stuck');
    throw new Error(`'${action.text}' was not played`);
  });
}

/* Builds and upgrades first, then whatever is there, and no more than a few
 * conversions: enough to see every part of a turn. */
const order = ['leech', 'decline', 'pick', 'favour', 'town', 'step', 'bridge', 'upgrade', 'build', 'transform', 'done', 'send', 'action', 'ship', 'spade', 'unlock', 'colour', 'connect', 'forfeit', 'pass'];
export function wanted(now, seen) {
  const list = now.actions.filter((a) => order.includes(a.kind));
  const rank = (a) => order.indexOf(a.kind) + (seen.has(a.kind) && ['upgrade', 'build', 'send', 'action', 'ship', 'spade'].includes(a.kind) ? 0.5 : 0);
  if (now.phase === 'pick') return list.find((a) => a.text.endsWith('witches')) ?? list[0];
  const fresh = list.filter((a) => !seen.has(a.kind) && !['done', 'pass', 'forfeit', 'leech', 'decline'].includes(a.kind)).sort((a, b) => rank(a) - rank(b))[0];
  return fresh ?? list.sort((a, b) => rank(a) - rank(b))[0];
}

/** Plays what the text says, be it legal at once or a plan. */
export async function choose(page, text) {
  const now = await mine(page);
  const action = [...now.actions, ...now.plans].find((a) => a.text === text);
  if (!action) throw new Error(`'${text}' is not among ${[...now.actions, ...now.plans].map((a) => a.text).join(', ')}`);
  await act(page, now, action);
}

/** Stores a record or position and sits down at it; all seats are people. */
export async function sitDown(page, url, text) {
  await page.goto(`${url}#/import`);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/#\/replay\//);
  const id = page.url().split('/').at(-1);
  await page.locator('.scrub').waitFor();
  await page.evaluate(() => { globalThis.shownScene = null; });
  await page.goto(`${url}#/play/${id}`);
  await page.locator('[data-board]').waitFor();
  await page.waitForFunction(() => globalThis.shownScene);
  return id;
}
