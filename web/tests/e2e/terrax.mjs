// Hands on a table of Terra-X, and eyes on what must stay secret.
import assert from 'node:assert/strict';
import { openTyping } from './table.mjs';

/* Everything that passes between page and worker, with the last scene shown. */
export const tap = () => {
  const Real = globalThis.Worker;
  globalThis.tapped = [];
  globalThis.Worker = class extends Real {
    #asked = new Map();
    constructor(...args) {
      super(...args);
      this.addEventListener('message', (event) => {
        const { id, value } = event.data;
        const request = this.#asked.get(id);
        this.#asked.delete(id);
        if (!request) return;
        globalThis.tapped.push({ method: request.method, args: request.args, text: JSON.stringify(value ?? null) });
        if (request.method === 'snapshot') [globalThis.shownScene, globalThis.shownCount] = [value.scene, value.status.count];
        if (request.method === 'effects') globalThis.shownEffects = value;
      });
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
 * Until then no hand is in the page. */
export async function takeScreen(page, hands = new Map()) {
  await page.waitForFunction(() => document.querySelector('.curtain') || globalThis.shownScene?.phase === 'over', null, { timeout: 60_000 });
  const before = await scene(page);
  if (before?.phase === 'over') return null;
  assert.equal(await page.locator('[data-card]').count(), 0, 'cards behind the curtain');
  if (hands.size) assert.deepEqual(await domSecrets(page, hands, null, before), [], 'behind the curtain');
  await page.locator('.curtain .btn.primary').click();
  await page.waitForFunction(() => !document.querySelector('.curtain') && globalThis.shownScene.viewer !== null);
  return scene(page);
}

export async function type(page, line) {
  const before = await steps(page);
  await openTyping(page);
  await page.locator('.typing input').fill(line);
  await page.locator('.typing input').press('Enter');
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count || document.querySelector('.typing .fault'), before);
  assert.equal(await page.locator('.typing .fault').count(), 0, `${line} is legal`);
  await page.waitForFunction(() => document.querySelector('.curtain') || globalThis.shownScene);
}

/* What other seats hold unmarked must not be in anything this screen was sent. */
export function secretsIn(messages) {
  const hands = new Map();
  const found = [];
  for (const { method, args, text } of messages) {
    if (/"seed"|\bseed:/.test(text) || /\[Seed/.test(text)) found.push(`${method}: a seed`);
    const viewer = { snapshot: args[1], scene: args[2], effects: args[3], write: args[3] }[method] ?? null;
    if (viewer === null || method === 'write') {
      for (const [seat, cards] of hands) if (seat !== viewer) for (const card of cards) if (text.includes(card)) found.push(`${method} names ${card} of seat ${seat}`);
      continue;
    }
    if (method === 'effects') continue;
    const value = JSON.parse(text);
    const shown = method === 'snapshot' ? value.scene : value;
    if (viewer === -2) {
      if (shown.phase !== 'over') found.push('everything was sent before the end');
      continue;
    }
    if (viewer >= 0) hands.set(viewer, new Set(shown.seats[viewer].hand.filter((card) => !shown.seats[viewer].marks.some((mark) => mark.card === card))));
    for (const [seat, cards] of hands) {
      if (seat === viewer) continue;
      for (const mission of shown.missions) if (cards.has(mission.card) && (mission.at !== 'hidden' || mission.seat !== null)) {
        if (['done', 'won'].includes(mission.at) || mission.marker === seat) cards.delete(mission.card);
        else found.push(`seat ${viewer} is told where ${mission.card} is`);
      }
    }
    for (const { seat, hand, marks, done } of shown.seats)
      if (seat !== viewer) for (const card of hand) if (!marks.some((mark) => mark.card === card) || done.includes(card)) found.push(`seat ${viewer} is shown ${card} of seat ${seat}`);
    if (shown.swap && shown.seat !== viewer && shown.swap.drawn.some(Boolean)) found.push('drawn cards are shown');
    for (const step of value.log ?? []) if (step.seat !== viewer && /^(\$x|=)[A-Z]/.test(step.text ?? '')) found.push(`seat ${viewer} reads ${step.text} of seat ${step.seat}`);
  }
  return found;
}

/* Cards of the hand in the page, and names of others' secret ones. */
export async function domSecrets(page, hands, viewer, now) {
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  const names = new Map(now.map.places.map((p) => [p.place, p.name.en]));
  const seen = new Set([...now.colours.flatMap(({ arrows }) => arrows.flatMap((a) => [a.from, a.to])), ...now.open, ...now.seats.flatMap((s) => [...s.done, ...s.won, ...s.marks.map((m) => m.card)]), ...now.actions.map((a) => a.to)]);
  const found = [];
  for (const [seat, cards] of hands) {
    if (seat === viewer) continue;
    for (const card of cards) {
      if (html.includes(`data-card="${card}"`)) found.push(`card ${card}`);
      if (!seen.has(card) && html.includes(`>${names.get(card)}<`)) found.push(`name ${names.get(card)}`);
    }
  }
  return found;
}
