// What a table of Terra Mystica asks of a connection: the bytes that travel,
// compressed, for a visitor who has nothing yet.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { position } from './mystica-cases.mjs';
import { mine, sitDown, tap } from './mystica.mjs';
import { done, launch, open, root, serve } from './table.mjs';

const KB = 1024;
let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

/** Bytes of a file of the client as it is sent. */
const sent = (address) => {
  const path = `${root}web/dist${new URL(address).pathname}`;
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
};
const sum = (files, kind) => [...files].filter((one) => kind.test(one)).reduce((all, one) => all + sent(one), 0);

/** Until nothing more has come for a second. */
async function quiet(files) {
  for (let seen = -1; seen !== files.size;) { seen = files.size; await sleep(1000); }
}

test('the table takes at most 200 KB of script and style, all games 400 KB of rules', async () => {
  const page = await open(browser, 'about:blank', {});
  await page.addInitScript(tap);
  const id = await sitDown(page, server.url, position({ faction: 'halflings', home: 'brown brown', build: ['D E6 F5', 'TP D8'] }));
  const files = new Set();
  page.context().on('response', (answer) => files.add(answer.url()));
  await page.goto('about:blank');
  await page.goto(`${server.url}#/play/${id}`);
  await mine(page);
  await quiet(files);
  /* What is fetched later belongs to it, too: the replay, its ledger and charts. */
  await page.goto(`${server.url}#/replay/${id}`);
  await page.locator('.book').click();
  await page.locator('.ledger').waitFor();
  await quiet(files);
  const [code, rules] = [sum(files, /\.(js|css)$/), sum(files, /\.wasm$/)];
  assert.ok(code > 50 * KB && rules > 50 * KB, `only ${code} and ${rules} bytes were seen`);
  assert.ok(code <= 200 * KB, `${(code / KB).toFixed(1)} KB of script and style`);
  assert.ok(rules <= 400 * KB, `${(rules / KB).toFixed(1)} KB of rules`);
  console.log(`# ${(code / KB).toFixed(1)} KB of script and style, ${(rules / KB).toFixed(1)} KB of rules`);
  await done(page);
});
