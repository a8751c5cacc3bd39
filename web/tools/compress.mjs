// Writes a brotli and a gzip variant beside every file that shrinks.
// usage: compress.mjs FOLDER
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const shrinks = /\.(html|js|css|wasm|svg|json|webmanifest|txt)$/;

function* walk(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (shrinks.test(name)) yield path;
  }
}

let raw = 0, packed = 0;
for (const path of walk(process.argv[2])) {
  const data = readFileSync(path);
  const br = brotliCompressSync(data, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
  });
  const gz = gzipSync(data, { level: 9 });
  if (br.length < data.length) writeFileSync(`${path}.br`, br);
  if (gz.length < data.length) writeFileSync(`${path}.gz`, gz);
  raw += data.length;
  packed += Math.min(br.length, data.length);
}
console.log(`compressed ${raw} to ${packed} bytes`);
