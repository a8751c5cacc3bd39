/* Turns messages/LOCALE.json into what the client imports:
 *
 *   src/paraglide/messages.ts   one small function per message, so that a bundle
 *                               holds only those it uses
 *   src/paraglide/LOCALE.ts     all words of one language, fetched when spoken
 *   src/paraglide/files.ts      which languages there are
 *
 * A message is a text with {inputs}, or one that follows the plural of an
 * input.  As a Vite plugin it does so at the start and after every change;
 * `node tools/messages.mjs` does it once. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const from = join(root, 'messages');
const to = join(root, 'src/paraglide');
const BASE = 'en';

/** A text, or [input whose plural counts, text for one, text for others]. */
export function parse(key, value) {
  if (typeof value === 'string') return value;
  const plural = Array.isArray(value) ? value[0] : value;
  const input = /^local plural = (\w+): plural$/.exec(plural?.declarations?.[1] ?? '')?.[1];
  const one = plural?.match?.['plural=one'];
  const other = plural?.match?.['plural=other'];
  if (!input || typeof one !== 'string' || typeof other !== 'string') throw new Error(`message ${key} is neither a text nor a plural of one input`);
  return [input, one, other];
}

export const inputs = (message) => {
  const texts = typeof message === 'string' ? [message] : message.slice(1);
  const named = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((one) => one[1]));
  return [...new Set(typeof message === 'string' ? named : [message[0], ...named])].sort();
};

export function read(locale) {
  const { $schema: _, ...messages } = JSON.parse(readFileSync(join(from, `${locale}.json`), 'utf8'));
  return new Map(Object.entries(messages).map(([key, value]) => [key, parse(key, value)]));
}

export const languages = () => {
  const all = readdirSync(from).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  return [BASE, ...all.filter((locale) => locale !== BASE).sort((a, b) => order(a) - order(b) || a.localeCompare(b))];
};
const order = (locale) => ['nl', 'sv', 'de'].indexOf(locale);

function put(name, text) {
  const path = join(to, name);
  let old = '';
  try { old = readFileSync(path, 'utf8'); } catch { /* not there yet */ }
  if (old !== text) writeFileSync(path, text);
}

export function make() {
  mkdirSync(to, { recursive: true });
  const locales = languages();
  const base = read(BASE);
  const keys = [...base.keys()];
  const functions = keys.map((key, i) => {
    const names = inputs(base.get(key));
    if (!names.length) return `export const ${key} = (): string => say(${i});`;
    return `export const ${key} = (v: { ${names.map((name) => `${name}: string | number`).join('; ')} }): string => say(${i}, v);`;
  });
  const wanted = new Set(['all.ts', 'messages.ts', 'files.ts', 'runtime.ts', ...locales.map((locale) => `${locale}.ts`)]);
  for (const name of readdirSync(to)) if (!wanted.has(name)) rmSync(join(to, name), { recursive: true });
  put('all.ts', `import { say } from '../lib/say.svelte';\n${functions.join('\n')}\n`);
  put('messages.ts', "export * as m from './all';\n");
  put('runtime.ts', "export { getLocale, locales, setLocale, type Locale } from '../lib/say.svelte';\n");
  put('files.ts', `export const files = {\n${locales.map((locale) => `  ${locale}: () => import('./${locale}'),`).join('\n')}\n};\n`);
  for (const locale of locales) {
    const words = read(locale);
    const lacking = keys.filter((key) => !words.has(key));
    if (lacking.length) throw new Error(`messages/${locale}.json lacks ${lacking.join(', ')}`);
    put(`${locale}.ts`, `import type { Words } from '../lib/say.svelte';\nexport const words: Words = ${JSON.stringify(keys.map((key) => words.get(key)))};\n`);
  }
}

/** The same as a Vite plugin. */
export const messages = () => ({
  name: 'messages',
  buildStart: make,
  handleHotUpdate({ file }) { if (file.startsWith(from)) make(); },
  /* Which file holds which language, for public/theme.js: words are fetched
   * together with the program, not after it. */
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const found = Object.values(bundle ?? {}).flatMap((chunk) => {
        const locale = /src\/paraglide\/(\w\w)\.ts$/.exec(chunk.facadeModuleId ?? '')?.[1];
        return locale ? [`${locale} /${chunk.fileName}`] : [];
      });
      return html.replace('<script src="/theme.js">', `<meta name="words" content="${found.join(' ')}" />\n    <script src="/theme.js">`);
    },
  },
});

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) make();
