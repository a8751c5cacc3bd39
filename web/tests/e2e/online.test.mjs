// People on different machines: real browsers, one server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { done, launch, open, root, shot, violations } from './table.mjs';

/* A server whose data outlive it. */
const data = mkdtempSync(`${tmpdir()}/terra-`);
let port = 0, child, browser;
async function start() {
  const build = process.env.TERRA_BUILD ?? `${root}build`;
  child = spawn(`${build}/terra`, ['serve', '--port', String(port), '--local', '--root', `${root}web/dist`, '--data', data, '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text)));
    child.once('exit', (code) => reject(new Error(`terra serve ended with ${code}`)));
  });
  port = Number(/:(\d+)\/$/.exec(line.trim())[1]);
}
const end = (signal) => new Promise((resolve) => { child.once('exit', resolve); child.kill(signal); });
const url = () => `http://localhost:${port}/`;

before(async () => { await start(); browser = await launch(); });
after(async () => { await browser.close(); await end('SIGTERM'); rmSync(data, { recursive: true }); });

let names = 0;
/** A browser of its own, in the lobby as a guest. */
async function guest(word, options = {}) {
  const page = await open(browser, `${url()}#/lobby`, options);
  const name = `${word} ${++names}`;
  page.person = name;
  await page.locator('.who input').first().fill(name);
  await page.locator('.who button[type=submit]').click();
  await page.locator('form.new').waitFor();
  return page;
}

const field = (page, name) => page.locator(`form.new label:has(> span:text-is("${name}")) :is(select, input)`);

/** Opens a table of Terra Nova; its invitation. */
async function create(page, more = async () => {}) {
  await more();
  await page.locator('form.new button[type=submit]').click();
  const link = page.locator('.room input');
  await link.waitFor();
  return link.inputValue();
}

async function join(page, link) {
  await page.goto(link);
  await page.locator('.room .primary').click();
  await page.locator('[data-board]').waitFor();
}

const enter = async (page) => page.locator('[data-board]').waitFor();
const count = (page) => page.locator('.log .acts button').count();
/** Plays the first legal action by typing, and whatever it takes to end the turn. */
async function play(page) {
  await page.waitForFunction(() => document.querySelector('.typing') || document.querySelector('[data-board]'));
  if (!(await page.locator('.typing').isVisible())) {
    await page.locator('main').focus();
    await page.keyboard.press('/');
  }
  await page.waitForFunction(() => document.querySelectorAll('.typing select option').length > 1);
  const texts = await page.locator('.typing select option').evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
  await page.locator('.typing input').fill(texts[0]);
  await page.locator('.typing input').press('Enter');
}
/** Of two pages the one that is asked. */
async function actor(pages) {
  for (;;) {
    for (const page of pages)
      if (/^(Move|Place)/.test(await page.locator('.actionbar .prompt b').innerText())) return page;
    await pages[0].waitForTimeout(50);
  }
}
const other = (pages, page) => pages.find((one) => one !== page);

test('two guests play by link; a third watches; chat is inert', async () => {
  const ann = await guest('Ann');
  assert.deepEqual(await violations(ann), []);
  await shot(ann, 'lobby');
  const link = await create(ann);
  await shot(ann, 'waiting-room');
  const bob = await guest('Bob');
  await join(bob, link);
  await enter(ann);
  const both = [ann, bob];
  const first = await actor(both);
  await play(first);
  await other(both, first).waitForFunction(() => document.querySelectorAll('.log .acts button').length > 0);

  const eve = await guest('Eve');
  await eve.goto(link.split('/').slice(0, -1).join('/'));
  await enter(eve);
  await eve.waitForFunction(() => document.querySelectorAll('.log .acts button').length > 0);
  await shot(eve, 'spectator');

  const words = '<img src=x onerror="window.hacked=1"> & hello';
  await ann.getByLabel('Say something').fill(words);
  await ann.getByRole('button', { name: 'Send' }).click();
  await bob.locator('.lines', { hasText: words }).waitFor();
  assert.equal(await bob.locator('.lines img').count(), 0);
  assert.equal(await bob.evaluate(() => window.hacked), undefined);
  await eve.getByLabel('Say something').fill('only for us');
  await eve.getByRole('button', { name: 'Send' }).click();
  await eve.locator('.lines', { hasText: 'only for us' }).waitFor();
  assert.equal(await eve.locator('.lines', { hasText: 'hello' }).count(), 0);
  assert.equal(await bob.locator('.lines', { hasText: 'only for us' }).count(), 0);

  /* a private note stays, and stays private */
  await ann.getByRole('button', { name: 'My note' }).click();
  await ann.locator('.online textarea').fill('my secret plan');
  await ann.getByRole('button', { name: 'Keep', exact: true }).click();
  await ann.waitForFunction(() => document.querySelector('.online .btn[disabled]'));
  await ann.reload();
  await enter(ann);
  await ann.getByRole('button', { name: 'My note' }).click();
  await ann.waitForFunction(() => document.querySelector('.online textarea')?.value === 'my secret plan');
  await bob.getByRole('button', { name: 'My note' }).click();
  assert.equal(await bob.locator('.online textarea').inputValue(), '');
  for (const page of [ann, bob, eve]) await done(page);
});

test('taking back by agreement, resigning, once more', async () => {
  const ann = await guest('Ann'), bob = await guest('Bob');
  await join(bob, await create(ann));
  await enter(ann);
  const both = [ann, bob];
  const first = await actor(both), second = other(both, first);
  await play(first);
  await second.waitForFunction(() => document.querySelectorAll('.log .acts button').length > 0);
  await first.keyboard.press('Escape');
  await first.getByRole('button', { name: 'Game menu' }).click();
  await first.getByRole('button', { name: 'Ask to take back' }).click();
  await second.getByText(`${first.person} asks to take back the last turn.`).waitFor();
  await second.getByRole('button', { name: 'Allow it' }).click();
  await second.waitForFunction(() => document.querySelectorAll('.log .acts button').length === 0);
  assert.equal(await count(second), 0);

  await first.getByRole('button', { name: 'Game menu' }).click();
  await first.locator('.drop').getByRole('button', { name: 'Resign' }).click();
  await first.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await second.getByRole('button', { name: 'Play again' }).click();
  await second.locator('.room').waitFor();
  await first.getByRole('button', { name: 'Play again' }).click();
  await enter(second);
  await enter(first);
  assert.equal(first.url().split('/').at(-1), second.url().split('/').at(-1));
  for (const page of both) await done(page);
});

test('a server that is killed comes back, and the game goes on', async () => {
  const ann = await guest('Ann'), bob = await guest('Bob');
  await join(bob, await create(ann));
  await enter(ann);
  const both = [ann, bob];
  let first = await actor(both);
  await play(first);
  await other(both, first).waitForFunction(() => document.querySelectorAll('.log .acts button').length > 0);
  const before = await count(ann);
  await end('SIGKILL');
  await ann.getByText('No connection').waitFor();
  await start();
  await ann.getByText('No connection').waitFor({ state: 'detached' });
  await bob.getByText('No connection').waitFor({ state: 'detached' });
  assert.equal(await count(ann), before);
  first = await actor(both);
  await play(first);
  for (const page of both) {
    await page.waitForFunction((n) => document.querySelectorAll('.log .acts button').length > n, before);
    page.errors = page.errors.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
    await done(page);
  }
});

test('a clock runs out', async () => {
  const ann = await guest('Ann'), bob = await guest('Bob');
  const link = await create(ann, async () => {
    await field(ann, 'Clock').selectOption('move');
    await field(ann, 'Minutes').fill('0.05');
    await field(ann, 'When time is up').selectOption('resign');
  });
  await join(bob, link);
  await enter(ann);
  await ann.locator('.clocks li').first().waitFor();
  for (const page of [ann, bob]) {
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    await done(page);
  }
});

test('an account, in Dutch', async () => {
  const page = await open(browser, `${url()}#/lobby`, { locale: 'nl-NL' });
  await page.locator('.who').getByRole('button', { name: 'Meld je aan' }).click();
  await page.locator('.who input').first().fill('Carla');
  await page.locator('.who input[type=password]').fill('een lang wachtwoord');
  await page.getByRole('button', { name: 'Maak een account' }).click();
  await page.getByText('Je herstelcodes').waitFor();
  assert.equal(await page.locator('.codes li').count(), 8);
  await page.locator('.who').getByRole('button').click();
  await page.getByRole('button', { name: 'Meld je af' }).click();
  await page.locator('.who').getByRole('button', { name: 'Meld je aan' }).click();
  await page.locator('.who input').first().fill('Carla');
  await page.locator('.who input[type=password]').fill('een lang wachtwoord');
  await page.locator('.who .primary').click();
  await page.getByText('Je bent Carla.').waitFor();
  await page.getByRole('link', { name: 'Uitslagen' }).click();
  await page.getByText('Nog geen partijen om rating.').waitFor();
  await done(page);
});
