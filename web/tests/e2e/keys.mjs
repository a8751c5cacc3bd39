// Hands that only reach the keyboard, and ears that only hear what screen
// readers are told.
import assert from 'node:assert/strict';

const focusIs = (page, css) => page.evaluate((selector) => !!document.activeElement?.matches(selector), css);

/** Tab until what matches has the focus, the shorter way; never more than twice round. */
export async function tabTo(page, css) {
  await page.locator(`${css}:not([disabled])`).first().waitFor({ state: 'attached' });
  const key = await page.evaluate((selector) => {
    const [here, there] = [document.activeElement, document.querySelector(selector)];
    if (!here || here === document.body) return there.matches('[data-board]') ? 'Shift+Tab' : 'Tab';
    return here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab';
  }, css);
  for (let i = 0; i < 240; i++) {
    if (await focusIs(page, css)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} never reaches ${css}`);
}

export const press = async (page, css) => { await tabTo(page, css); await page.keyboard.press('Enter'); };

/** A native list by its keys: to the top, then down to the wanted value. */
export async function pick(page, css, value) {
  await tabTo(page, css);
  await page.keyboard.press('Home');
  for (let i = 0; i < 30; i++) {
    if (await page.locator(css).inputValue() === value) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`${css} has no ${value}`);
}

export async function number(page, css, value) {
  await tabTo(page, css);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(String(value));
}

const LIVE = '[data-live=polite]';
/** Presses a key and gives what is said then; the same words twice are news, too. */
export async function hear(page, key) {
  const before = await page.locator(LIVE).textContent();
  await page.keyboard.press(key);
  await page.waitForFunction(([css, old]) => document.querySelector(css).textContent !== old, [LIVE, before]);
  return page.locator(LIVE).innerText();
}

/** Before the page opens: keeps all that changes in a live region that was there
 * before, for only that is sure to be said. */
export const ears = () => {
  const regions = '[aria-live=polite], [aria-live=assertive], [role=status]:not([aria-live]), [role=alert]:not([aria-live])';
  const known = new WeakSet();
  globalThis.heard = [];
  new MutationObserver((changes) => {
    const said = new Set(changes.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest(regions)));
    for (const region of said) if (region && known.has(region) && region.textContent.trim()) globalThis.heard.push(region.textContent.replace(/\s+/g, ' ').trim());
    for (const region of document.querySelectorAll(regions)) known.add(region);
  }).observe(document, { subtree: true, childList: true, characterData: true });
};

/** Waits until something like this has been said. */
export const said = (page, words) =>
  page.waitForFunction(([text, pattern]) => globalThis.heard.some((one) => (pattern ? new RegExp(text).test(one) : one.includes(text))), [words.source ?? words, words instanceof RegExp]);

/** What a screen reader is given: every node that is not ignored. */
export async function tree(page) {
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  await cdp.detach();
  const property = (node, name) => node.properties?.find((p) => p.name === name)?.value.value;
  return nodes.filter((node) => !node.ignored).map((node) => ({
    role: node.role?.value, name: node.name?.value ?? '', description: node.description?.value ?? '',
    focused: !!property(node, 'focused'), focusable: !!property(node, 'focusable'), live: property(node, 'live') ?? '',
  }));
}

/* What a person sees change: the number of steps, the question, the offer to
 * confirm, what is explained. */
const state = () => { globalThis.tableState = () => {
  if (document.querySelector('a.btn.primary[href^="#/replay"]')) return 'over';
  if (!document.querySelector('[data-turn="mine"], .buttons .btn.primary')) return '';
  const shown = (css) => document.querySelector(css)?.textContent ?? '';
  return [document.querySelectorAll('.log .acts button').length, shown('.actionbar .prompt b'), shown('.buttons .btn.primary'), document.querySelectorAll('.tray [data-tile]').length, shown('[data-lesson] p')].join('|');
}; };

/** Acts until the game is over or `choose` says that it is enough: confirms what
 * is chosen, else calls `choose`. */
export async function playOut(page, most, choose) {
  await page.evaluate(state);
  let was = '';
  for (let i = 0; i < most; i++) {
    await page.waitForFunction((old) => globalThis.tableState() !== '' && globalThis.tableState() !== old, was);
    was = await page.evaluate(() => globalThis.tableState());
    if (was === 'over') return;
    if (await page.locator('.buttons .btn.primary').count()) await page.keyboard.press('c');
    else if (await choose() === 'enough') return;
  }
  assert.fail(`not over after ${most} choices`);
}

/** The next place of the board that can be chosen, heard and taken. */
export async function nextPlace(page, heard) {
  await tabTo(page, '[data-board]');
  heard.push(await hear(page, '.'));
  await page.keyboard.press('Enter');
}
