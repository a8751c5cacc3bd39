// Runs the end-to-end tests, three files at a time, for each of them waits now
// and then; longest first.  A file that fails is told and tried once more with
// the machine to itself: what only fails beside another is too slow for a busy
// machine, not wrong.  The status is 0 if all hold.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const only = process.argv.slice(2);
const longest = ['mystica', 'access', 'terrax', 'online', 'people', 'pages', ''];
const rank = (name) => longest.findIndex((word) => name.startsWith(word));
const files = readdirSync(here)
  .filter((name) => name.endsWith('.test.mjs') && (!only.length || only.some((word) => name.includes(word))))
  .sort((a, b) => rank(a) - rank(b));

/** Runs one file, prints what it said, and gives whether it holds. */
const holds = (file) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test', '--test-timeout=1200000', here + file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = [];
    child.stdout.on('data', (bytes) => said.push(bytes));
    child.on('close', (code) => {
      console.log(`# ${file}: ${code === 0 ? 'good' : 'FAILED'}\n${Buffer.concat(said)}`);
      resolve(code === 0);
    });
  });

/** Those of the files that fail, so many being run at a time. */
async function failing(list, atOnce) {
  const left = [...list], failed = [];
  const worker = async () => { for (let file; (file = left.shift());) if (!(await holds(file))) failed.push(file); };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failed;
}

const failed = await failing(files, 3);
if (failed.length) console.log(`# once more, alone: ${failed.join(', ')}`);
const still = await failing(failed, 1);
console.log(`# ${files.length - still.length} files hold, ${still.length} fail${still.length ? `: ${still.join(', ')}` : ''}`);
process.exit(still.length ? 1 : 0);
