/* Makes the pictures of the README and of links shared elsewhere, from the
 * program itself: docs/*.jpg and public/social.jpg.
 *
 *   web/build && node tools/pictures.mjs        (TERRA_BUILD: where terra is) */
import { readFileSync } from 'node:fs';
import { launch, root, serve } from '../tests/e2e/table.mjs';

const server = await serve();
const browser = await launch();
const nova = readFileSync(`${root}tests/games/nova/026-island-3-en-greedy.nova`, 'utf8').split('\n').filter((line) => !/^\[(Result|End)/.test(line)).slice(0, 47).join('\n');

async function look(width, height, scale, address, path, prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${server.url}${address}`);
  await prepare(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path, type: 'jpeg', quality: 78 });
  await context.close();
}

const watched = async (page) => page.locator('.scrub').waitFor();
await look(1400, 735, 1200 / 1400, '', `${root}web/public/social.jpg`);
await look(1280, 800, 0.8, '#/import', `${root}docs/terra-nova.jpg`, async (page) => {
  await page.getByLabel('Title').fill('Sunday island');
  await page.getByLabel('Record or position').fill(nova);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await watched(page);
  await page.goto(`${server.url}#/play/${page.url().split('/').pop()}`);
  await page.locator('[data-board]').waitFor();
});
await look(1280, 800, 0.8, '#/sample/terrax/60', `${root}docs/terra-x.jpg`, watched);
await look(1280, 800, 0.8, '#/sample/mystica/120', `${root}docs/terra-mystica.jpg`, watched);
await browser.close();
await server.stop();
