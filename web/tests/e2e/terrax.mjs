// Hands on a table of Terra-X, and eyes on what must stay secret.
import assert from 'node:assert/strict';
import { open, openTyping } from './table.mjs';

/* Everything that passes between page and worker, with the last scene shown.
 * `truth` asks past that: the scenes after 0, 1, ... steps, with every card. */
export const tap = () => {
  const Real = globalThis.Worker;
  globalThis.tapped = [];
  globalThis.Worker = class extends Real {
    #asked = new Map();
    #known = new Map();
    constructor(...args) {
      super(...args);
      this.addEventListener('message', (event) => {
        const { id, value } = event.data;
        this.#known.get(id)?.({ ...value, map: null });
        const request = this.#asked.get(id);
        this.#asked.delete(id);
        if (!request) return;
        globalThis.tapped.push({ method: request.method, args: request.args, text: JSON.stringify(value ?? null) });
        if (request.method === 'snapshot') [globalThis.shownScene, globalThis.shownCount, globalThis.truth] = [value.scene, value.status.count, () => this.#truth(request.args[0], value.status.count)];
        if (request.method === 'effects') globalThis.shownEffects = value;
      });
    }
    #truth(handle, count) {
      return Promise.all(Array.from({ length: count + 1 }, (_, at) => new Promise((resolve) => {
        this.#known.set(`truth ${at}`, resolve);
        super.postMessage({ id: `truth ${at}`, method: 'scene', args: [handle, at, -2] });
      })));
    }
    postMessage(message) {
      this.#asked.set(message.id, message);
      super.postMessage(message);
    }
  };
};

export const scene = (page) => page.evaluate(() => globalThis.shownScene);
export const steps = (page) => page.locator('.log .acts button').count();

/** Waits until the page shows the last scene, too: what has happened is kept before it is drawn. */
export const drawn = (page) => page.waitForFunction(() => document.querySelectorAll('.log .acts button').length === globalThis.shownCount);

/** A new game from the new-game page, with whatever else it should choose there. */
export async function start(page, url, players, options = {}, choose = async () => {}) {
  await page.goto(`${url}#/new/terrax`);
  await page.locator('.sum svg.board').waitFor();
  await choose(page);
  for (let i = 2; i < players.length; i++) await page.getByRole('button', { name: /Add a player/ }).click();
  for (let i = 0; i < players.length; i++) await page.getByLabel(`Who plays for player ${i + 1}`).selectOption(players[i]);
  if (Object.keys(options).length) await page.getByRole('button', { name: 'More options' }).click();
  for (const [name, value] of Object.entries(options)) {
    const field = page.locator(`#option-${name}`);
    if (await field.evaluate((node) => node.tagName === 'SELECT')) await field.selectOption(value);
    else { await field.fill(value); await field.blur(); }
  }
  await page.locator('button:visible', { hasText: /Start the/ }).click();
  await page.locator('[data-board]').waitFor();
}

/* Waits for a person's turn behind the curtain, or the end, and takes the screen.
 * Until then no hand is in the page; what is there is kept among the looks. */
export async function takeScreen(page, looks = []) {
  await page.waitForFunction(() => document.querySelector('.curtain') || globalThis.shownScene?.phase === 'over', null, { timeout: 60_000 });
  const before = await scene(page);
  if (before?.phase === 'over') return null;
  assert.equal(await page.locator('[data-card]').count(), 0, 'cards behind the curtain');
  looks.push(await look(page, before));
  await page.locator('.curtain .btn.primary').click();
  await page.waitForFunction(() => !document.querySelector('.curtain') && globalThis.shownScene.viewer !== null);
  const now = await scene(page);
  looks.push(await look(page, now));
  return now;
}

/** The screen of whoever is asked at a position of people, who has taken it. */
export async function from(browser, url, position, options = '', seats = 2) {
  return imported(browser, url, `game: terrax\nseats: ${seats}\n${options}start:\n${position.replace(/^/gm, '\t')}\n`);
}

/** The same for any text that can be read. */
export async function imported(browser, url, text) {
  const page = await replayed(browser, url, text);
  await page.goto(page.url().replace('/replay/', '/play/'));
  await takeScreen(page);
  return page;
}

/** The replay of a text, in a page that knows nothing else. */
export async function replayed(browser, url, text) {
  const page = await open(browser, 'about:blank');
  await page.context().addInitScript(tap);
  await page.goto(`${url}#/import`);
  await page.locator('textarea').fill(text);
  await page.locator('main button.primary').click();
  await page.waitForURL(/#\/replay\//);
  return page;
}

/** Says that a card of the hand is completed, by the card and its button. */
export async function complete(page, card) {
  await page.locator(`.hand [data-card=${card}]`).click({ position: { x: 10, y: 50 } });
  await page.getByRole('button', { name: 'Complete mission' }).click();
}

/** A claim is refused by the rule. */
export const refused = (page) => page.locator('.toast', { hasText: 'This mission cannot be completed now' }).locator('a').waitFor();

export async function type(page, line) {
  const before = await steps(page);
  await openTyping(page);
  await page.locator('.typing input').fill(line);
  await page.locator('.typing input').press('Enter');
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count || document.querySelector('.typing .fault'), before);
  assert.equal(await page.locator('.typing .fault').count(), 0, `${line} is legal`);
  await page.waitForFunction(() => document.querySelector('.curtain') || globalThis.shownScene);
}

/* ---- secrets ---- */

/* The cards a viewer has not seen and may not know of after so many steps: what
 * others hold unmarked, and the stack (terrax §14). */
function secret(truth, count, viewer) {
  const held = heldBy(truth, count, viewer);
  return new Set(truth[count].missions.filter(({ card, at, marker }) => !['open', 'done', 'won'].includes(at) && marker === null && !held.has(card)).map(({ card }) => card));
}

/* What a viewer has had in the hand or drawn so far. */
const heldBy = (truth, count, viewer) =>
  new Set(truth.slice(0, count + 1).flatMap(({ seats, swap }) => [...(seats[viewer]?.hand ?? []), ...(swap && swap.seat === viewer ? [swap.aside, ...swap.drawn] : [])]));

/* Cards a text names; where arrows go is no secret, nor is a map. */
const named = (text) => Array.from(text.replace(/^#\|.*$/gm, '').replace(/[+$~]?[ABC](?:@\w+)?[>-]\w+/g, ' ').matchAll(/(?<![A-Za-z])x?([A-Z]{3})(?![A-Za-z0-9])/g), ([, card]) => card);

/* All text in a message but for places as such, by its key. */
const placed = new Set(['map', 'colours', 'missions', 'from', 'to', 'tail', 'tip', 'leg']);
function* texts(value, key = '') {
  if (typeof value === 'string') yield [key, value];
  else for (const [name, part] of Object.entries(value ?? {})) if (!placed.has(name)) yield* texts(part, Array.isArray(value) ? key : name);
}

/* What is wrong with a scene that shows all missions and all seats. */
function sceneLeaks({ missions, seats, swap }, truth, held, viewer) {
  const found = missions.map(({ card }) => card).join() === truth.missions.map(({ card }) => card).join() ? [] : ['missions are in another order'];
  for (const [i, { card, at, seat, marker }] of truth.missions.entries()) {
    const shown = missions[i];
    if (shown.at === 'hand' && shown.seat === viewer && held.has(card)) continue; /* kept, and then not */
    if (['hidden', 'hand', 'swap'].includes(at) && seat !== viewer && marker === null && swap?.seat !== viewer && (shown.at !== 'hidden' || shown.seat !== null || shown.marker !== null)) found.push(`tells where ${card} is`);
  }
  for (const { seat, hand, marks, done } of seats)
    if (seat !== viewer) for (const card of hand) if (!marks.some((mark) => mark.card === card) || done.includes(card)) found.push(`shows ${card} of seat ${seat}`);
  return found;
}

/** What messages tell their viewer too much; each is { what, viewer, count, value }. */
export function leaksIn(messages, truth) {
  const found = new Set();
  for (const { what, viewer, count, value } of messages) {
    const tell = (text) => found.add(`${what} to ${viewer} after ${count}: ${text}`);
    if (viewer === -2) tell('everything before the end');
    const hidden = secret(truth, count, viewer);
    for (const [key, text] of texts(value)) {
      if (key === 'seed' || /\bseed:|\[Seed/.test(text)) tell('a seed');
      for (const card of named(text)) if (hidden.has(card)) tell(`${key} names ${card}`);
    }
    const shown = value?.scene ?? value;
    if (shown?.missions) for (const text of sceneLeaks(shown, truth[count], heldBy(truth, count, viewer), viewer)) tell(text);
  }
  return [...found];
}

/* Calls of the worker up to the end of the match: what has no viewer of its own
 * is for whoever looks at the screen. */
function heardHere(calls) {
  const heard = [];
  let [viewer, count] = [-1, 0];
  const handle = calls.findLast(({ method }) => method === 'snapshot').args[0];
  const opened = calls.findLastIndex(({ method }) => method === 'unseal');
  for (const [i, { method, args, text }] of calls.entries()) {
    const value = JSON.parse(text);
    if (i <= opened || args[0] !== handle) {
      /* A picture of some game to come: it has hands of its own. */
      if (value?.scene?.seats ?? value?.seats) assert.deepEqual((value.scene ?? value).seats.flatMap(({ hand }) => hand ?? []), [], `${method} of another match`);
      continue;
    }
    if (method === 'snapshot') [viewer, count] = [args[1], value.status.count];
    if (method === 'snapshot' && value.status.over) break;
    const to = { snapshot: args[1], scene: args[2], effects: args[3], write: args[3], course: args[3] }[method] ?? viewer;
    heard.push({ what: method, viewer: to, count: method === 'scene' && args[1] >= 0 ? args[1] : count, value });
  }
  return heard;
}

/** What the worker told a page too much, up to now or the end; and what it told of. */
export async function leaks(page) {
  const [calls, truth] = await page.evaluate(async () => [globalThis.tapped, await globalThis.truth()]);
  const heard = heardHere(calls);
  return { found: leaksIn(heard, truth), truth, heard };
}

/** The page as it is, to be searched once all is known. */
export async function look(page, now, count) {
  return { viewer: now.viewer ?? -1, now: { ...now, map: null }, names: Object.fromEntries(now.map.places.map((p) => [p.place, p.name.en])),
    count: count ?? (await page.evaluate(() => globalThis.shownCount)), html: await page.evaluate(() => document.documentElement.outerHTML) };
}

/** Secret cards that those pages name in any text or attribute.  Places that
 *  arrows have gone to, or may go to, are named for that. */
export function looksIn(looks, truth) {
  const found = new Set();
  for (const { viewer, count, now, names, html } of looks) {
    const gone = truth.slice(0, count + 1).flatMap(({ colours }) => colours.flatMap(({ arrows }) => arrows.flatMap((a) => [a.from, a.to])));
    const seen = new Set([...gone, ...now.colours.flatMap(({ arrows }) => arrows.map((a) => a.to)), ...now.actions.map((a) => a.to)]);
    const plain = html.replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const ids = new Set(named(plain));
    for (const card of secret(truth, count, viewer)) {
      if (seen.has(card)) continue;
      if (ids.has(card)) found.add(`the page of ${viewer} after ${count} holds ${card}`);
      if (new RegExp(`(?<!\\p{L})${RegExp.escape?.(names[card]) ?? names[card].replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(plain)) found.add(`the page of ${viewer} after ${count} names ${names[card]}`);
    }
  }
  return [...found];
}
