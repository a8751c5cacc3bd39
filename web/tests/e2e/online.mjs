// What the tests of games together share: a server whose data outlive it,
// people with browsers of their own, and tables made without clicking.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { launch, open, root } from './table.mjs';

export function world() {
  const data = mkdtempSync(`${tmpdir()}/terra-`);
  let port = 0, child, browser, names = 0;

  async function start() {
    const build = process.env.TERRA_BUILD ?? `${root}build`;
    child = spawn(`${build}/terra`, ['serve', '--port', String(port), '--local', '--rate', '0', '--root', `${root}web/dist`, '--data', data, '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise((resolve, reject) => {
      child.stdout.once('data', (text) => resolve(String(text)));
      child.once('exit', (code) => reject(new Error(`terra serve ended with ${code}`)));
    });
    port = Number(/:(\d+)\/$/.exec(line.trim())[1]);
  }
  const end = (signal) => new Promise((resolve) => { child.once('exit', resolve); child.kill(signal); });

  /** Asks the server as the person of that page. */
  async function ask(page, command, fields = {}) {
    const at = page.base ?? url();
    const answer = await page.request.post(`${at}api/${command}`, { data: fields, headers: { origin: new URL(at).origin } });
    const { ok, error } = await answer.json();
    if (error) throw new Error(`${command}: ${error.name}: ${error.phrase}`);
    return ok;
  }
  const url = () => `http://localhost:${port}/`;

  return {
    url, start, end, ask,
    begin: async () => { await start(); browser = await launch(); },
    finish: async () => { await browser.close(); await end('SIGTERM'); rmSync(data, { recursive: true }); },
    /** A browser of its own that nobody knows yet. */
    stranger: (options = {}) => open(browser, options.at ?? `${url()}#/lobby`, { chance: 0, ...options }),
    /** Somebody with a name: a guest, or with a password an account. */
    async person(word, { password = '', base = '', ...options } = {}) {
      const page = await open(browser, 'about:blank', { chance: 0, ...options });
      page.base = base || url();
      page.person = `${word} ${++names}`;
      page.codes = (await ask(page, password ? 'register' : 'guest', { name: page.person, ...(password ? { password } : {}) })).codes;
      await page.goto(`${page.base}#/lobby`);
      return page;
    },
    /** A table with all these people at it, begun unless a seat is left. */
    async table(people, { setup = `game: nova\nseats: ${people.length}\noption board: islet\n`, ...fields } = {}) {
      const { table, invite } = await ask(people[0], 'create', { setup, ...fields });
      for (const page of people.slice(1)) await ask(page, 'join', { table, invite });
      for (const page of people) await page.goto(`${page.base}#/table/${table}`);
      return { table, invite };
    },
    /** Another way to the server, which can be cut. */
    async wire() {
      let sockets = new Set(), whole = true;
      const server = createServer((near) => {
        if (!whole) return near.destroy();
        const far = connect(port, '127.0.0.1');
        for (const one of [near, far]) {
          sockets.add(one);
          one.on('error', () => {});
          one.on('close', () => { sockets.delete(one); near.destroy(); far.destroy(); });
        }
        near.pipe(far);
        far.pipe(near);
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      return {
        url: `http://localhost:${server.address().port}/`,
        cut() { whole = false; for (const one of sockets) one.destroy(); },
        mend() { whole = true; },
        close: () => new Promise((resolve) => { for (const one of sockets) one.destroy(); server.close(resolve); }),
      };
    },
  };
}

export const enter = (page) => page.locator('[data-board]').waitFor();
export const count = (page) => page.locator('.log .acts button').count();
export const atLeast = (page, n) => page.waitForFunction((least) => document.querySelectorAll('.log .acts button').length >= least, n);

async function openTyping(page) {
  await enter(page);
  if (await page.locator('.typing').isVisible()) return;
  await page.locator('main').focus();
  await page.keyboard.press('/');
}

/** The first legal action. */
export async function first(page) {
  await openTyping(page);
  await page.waitForFunction(() => document.querySelectorAll('.typing select option').length > 1);
  return page.locator('.typing select option').nth(1).getAttribute('value');
}

export async function type(page, text) {
  await openTyping(page);
  await page.locator('.typing input:enabled').fill(text);
  await page.locator('.typing input').press('Enter');
}

/** ... typed. */
export async function play(page) {
  const text = await first(page);
  await type(page, text);
  return text;
}

/** Of these pages the one whose person is asked. */
export async function actor(pages) {
  await Promise.race(pages.map((page) => page.locator('.actionbar[data-turn=mine]').waitFor()));
  for (const page of pages) if (await page.locator('.actionbar[data-turn=mine]').isVisible()) return page;
  return actor(pages);
}

export const menu = async (page, entry) => {
  await page.getByRole('button', { name: 'Game menu' }).click();
  await page.locator('.drop').getByRole('button', { name: entry }).click();
};
