// What is kept, shown again, shared and refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { artefacts, done, launch, legal, open, root, serve, shot, startGame, steps } from './table.mjs';

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); assert.equal(await server.stop(), 0); });

const whole = readFileSync(`${root}tests/games/nova/025-island-2-en-greedy.nova`, 'utf8');
const board = readFileSync(`${root}web/tests/e2e/atoll.board`, 'utf8');

async function importText(page, text) {
  await page.goto(`${server.url}#/import`);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}

test('a recorded game is imported and replayed by keys, slider, log and play', async () => {
  const page = await open(browser, server.url);
  await importText(page, whole);
  await page.locator('.scrub').waitFor();
  const at = async () => Number(await page.locator('.rail input').inputValue());
  const all = await at();
  assert.ok(all > 60);
  assert.match(await page.locator('.gtitle').innerText(), /Ada won 41 – 34/);
  await page.locator('main').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelectorAll('svg.board .piece').length === 0);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelectorAll('svg.board .piece').length === 1);
  await page.keyboard.press('End');
  assert.equal(await at(), all);
  await page.locator('.rail input').fill('30');
  assert.equal(await at(), 30);
  const button = page.locator('.log .acts button').nth(39);
  await button.hover();
  await button.click();
  assert.equal(await at(), 40);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector('.rail input').value) > 40);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Try a line' }).click();
  await page.locator('.actionbar').waitFor();
  await done(page);
});

test('records, positions and pictures leave as they came', async () => {
  const page = await open(browser, server.url);
  await importText(page, whole);
  await page.locator('.scrub').waitFor();
  await page.locator('.scrub').getByRole('button', { name: 'Share and export' }).click();
  const box = page.locator('dialog textarea');
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.startsWith('[Game'));
  assert.equal(await box.inputValue(), whole);
  await page.locator('dialog label', { hasText: 'Position' }).click();
  await page.waitForFunction(() => !document.querySelector('dialog textarea').value.startsWith('[Game'));
  const position = await box.inputValue();
  assert.match(position, /island .*=stones/);
  for (const kind of ['SVG', 'PNG']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Picture (${kind})` }).click()]);
    const path = `${artefacts}picture.${kind.toLowerCase()}`;
    await download.saveAs(path);
    const bytes = readFileSync(path);
    if (kind === 'SVG') {
      assert.match(bytes.toString(), /^<svg[^>]*xmlns/);
      assert.ok(!/var\(--(?!token-mark)/.test(bytes.toString()), 'colours stand in the file');
    } else assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  }
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.toast', { hasText: 'The link is copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 3000);
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForFunction(() => document.querySelector('textarea')?.value.length > 0);
  assert.equal(await page.locator('textarea').inputValue(), whole);
  await done(page);
});

test('what cannot be imported is explained, and nothing stored is lost', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  const wrong = [
    ['', /nothing to import/i],
    ['hello world', /no record, position or board/i],
    [whole.replace('i8-i5', 'i8-z5'), /Line \d+/],
    [whole.replace('[Format "1"]', '[Format "9"]'), /Line 2/],
    [whole.slice(0, 700), /Line \d+|too early/],
    [whole.replace('[Result "41-34"]', '[Result "99-0"]'), /Line 8/],
    ['[Game "nova"]\n'.repeat(200), /Line \d+/],
    ['\u0000\u0001\u0002', /no record|not UTF-8/],
    ['<img src=x onerror=alert(1)>', /no record/],
    ['{"version":99,"game":"nova"}', /no record/],
  ];
  for (const [text, why] of wrong) {
    await importText(page, text);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), why, `for ${text.slice(0, 40)}`);
    assert.equal(await page.getByLabel('Record or position').inputValue(), text, 'the text stays for mending');
  }
  await page.locator('input[type=file]').setInputFiles({ name: 'photo.nova', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0xfe, 0x00, 0x80]) });
  await page.getByText('photo.nova is not a text file.').waitFor();
  await page.goto(`${server.url}#/import/not-a-link`);
  await page.reload();
  await page.getByText('This link is damaged').waitFor();
  await shot(page, 'import-refused');
  await page.goto(`${server.url}#/games`);
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.card').count(), 1, 'the game that was there is there');
  await done(page);
});

test('damaged, foreign and newer saved games are shown as such and kept', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  await page.goto(`${server.url}#/games`);
  await page.locator('.card').waitFor();
  await page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('terrarium');
    request.onsuccess = () => {
      const store = request.result.transaction('games', 'readwrite').objectStore('games');
      const all = store.getAll();
      all.onsuccess = () => {
        const good = all.result[0];
        store.put({ ...good, id: 'damaged', text: good.text.replace('[Board', '[Bored') });
        store.put({ ...good, id: 'newer', version: 2 });
        store.put({ id: 'foreign', hello: 'world' });
        store.transaction.oncomplete = () => { request.result.close(); resolve(); };
      };
    };
  }));
  await page.reload();
  await page.getByText('This saved game cannot be read').first().waitFor();
  assert.equal(await page.getByText('This saved game cannot be read').count(), 2);
  for (const id of ['damaged', 'newer', 'foreign']) {
    await page.goto(`${server.url}#/play/${id}`);
    await page.getByText('Nothing was changed').waitFor();
    await page.getByRole('button', { name: 'Save as a file' }).waitFor();
  }
  await shot(page, 'damaged');
  await page.goto(`${server.url}#/games`);
  await page.reload();
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.card').count(), 4);
  await done(page);
});

test('own boards are checked, previewed, and travel inside the match', async () => {
  const page = await open(browser, server.url);
  await page.goto(`${server.url}#/new`);
  await page.locator('.sum svg.board').waitFor();
  await page.getByRole('button', { name: 'Own board' }).click();
  const box = page.getByLabel('Text of the board file');
  await box.fill(board.replace('stones: 20', 'stones: 2000'));
  await page.getByText('This board cannot be used').waitFor();
  await box.fill(board);
  await page.locator('dialog svg.board').waitFor();
  await page.getByRole('button', { name: 'Use this board' }).click();
  await page.getByText('Terra Nova on Little Atoll').waitFor();
  await page.locator('#option-setup').selectOption('random');
  await page.locator('button:visible', { hasText: 'Start the game' }).click();
  await page.locator('[data-board]').waitFor();
  await page.locator('.typing').count();
  const first = (await legal(page))[0];
  await page.locator('.typing select').selectOption(first);
  await page.waitForFunction(() => document.querySelectorAll('.step.done').length === 1);
  await shot(page, 'own-board');
  await page.reload();
  await page.locator('[data-board]').waitFor();
  assert.equal(await steps(page), 1);
  await done(page);
});

test('it works offline, and a game goes on', async () => {
  const page = await open(browser, server.url, { offline: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && !!navigator.serviceWorker.controller).catch(() => page.reload());
  await page.waitForFunction(async () => {
    for (const name of await caches.keys()) for (const key of await (await caches.open(name)).keys()) if (key.url.includes('.wasm')) return true;
    return false;
  });
  await startGame(page, server.url, { board: 'Lake Islet' });
  await page.context().setOffline(true);
  await page.reload();
  await page.locator('[data-board]').waitFor();
  const before = await steps(page);
  await page.locator('.typing').count();
  await page.locator('.typing select, [data-board]').first().waitFor();
  const list = await legal(page);
  await page.locator('.typing select').selectOption(list[0]);
  await page.waitForFunction((count) => document.querySelectorAll('.log .acts button').length > count, before);
  await page.goto(`${server.url}#/learn`);
  await page.locator('.ways').waitFor();
  await page.context().setOffline(false);
  page.errors = page.errors.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text));
  await done(page);
});

test('one match is open for play in one tab only', async () => {
  const page = await open(browser, server.url);
  await startGame(page, server.url, { board: 'Lake Islet' });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('It is open in another tab').waitFor();
  await other.close();
  await done(page);
});

test('the server tells browsers how to behave', async () => {
  const get = (path, init) => fetch(server.url + path, init);
  const start = await get('');
  assert.equal(start.status, 200);
  assert.match(start.headers.get('content-security-policy'), /'wasm-unsafe-eval'.*frame-ancestors 'none'/);
  assert.equal(start.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(start.headers.get('cache-control'), 'no-cache');
  const page = await start.text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)[1].slice(1);
  const asset = await get(script, { headers: { 'accept-encoding': 'br' } });
  assert.equal(asset.headers.get('content-encoding'), 'br');
  assert.match(asset.headers.get('cache-control'), /immutable/);
  assert.match(asset.headers.get('content-type'), /^text\/javascript/);
  const again = await get('', { headers: { 'if-none-match': start.headers.get('etag') } });
  assert.equal(again.status, 304);
  const missing = await get('nowhere/<b>', {});
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /Go to the start page/);
  assert.equal((await get('../../../etc/passwd')).status, 404);
  assert.equal((await get('', { method: 'POST', body: 'x' })).status, 405);
  const head = await get('', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.ok(Number(head.headers.get('content-length')) > 0);
});

test('the last turn of a game is a draft too, then the result stands', async () => {
  const lines = readFileSync(`${root}tests/games/nova/001-islet-2-en-greedy.nova`, 'utf8').trimEnd().split('\n').filter((line) => !/^\[(Result|End)/.test(line));
  const last = lines.pop().replace(/^\d+[a-z] /, '');
  const page = await open(browser, server.url);
  await importText(page, `${lines.join('\n')}\n`);
  await page.locator('.scrub').waitFor();
  await page.goto(`${server.url}#/play/${page.url().split('/').pop()}`);
  await page.locator('[data-board]').waitFor();
  const asks = (text) => page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('.actionbar .prompt b')?.textContent ?? ''), text);
  const type = async () => {
    await legal(page);
    await page.locator('.typing input').fill(last);
    await page.keyboard.press('Enter');
    await asks('End your turn');
  };
  await type();
  await page.getByRole('button', { name: 'Undo' }).click();
  await asks('Move');
  await page.getByRole('button', { name: 'Redo' }).click();
  await asks('End your turn');
  await page.getByRole('button', { name: 'Confirm turn' }).click();
  await asks('won');
  await shot(page, 'over');
  await page.getByRole('button', { name: 'Play again' }).click();
  await asks('Place a pioneer');
  await done(page);
});
