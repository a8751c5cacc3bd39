// Runs the end-to-end tests, two files at a time; the status is 0 if all hold.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const only = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (!only.length || only.some((word) => name.includes(word))));
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=400000', ...files.map((name) => here + name)], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
