// How long a bot of Terra Mystica takes in the module that the browser's worker
// runs: CPU milliseconds of whole turns of the first rounds with four seats,
// and of a single answer, as for a hint.
// usage: node bench/turns.mjs [LEVEL...]; needs web/wasm/terra.wasm (web/build).
import { readFileSync } from 'node:fs';

const bytes = readFileSync(new URL('../web/wasm/terra.wasm', import.meta.url));
const { exports: terra } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
terra._initialize();
const put = (text) => Buffer.from(terra.memory.buffer, terra.input(Buffer.byteLength(text)), Buffer.byteLength(text)).write(text);
const get = (length) => JSON.parse(Buffer.from(terra.memory.buffer, terra.output(), length).toString());
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const spent = () => process.cpuUsage().user / 1000;
/* A level plays so many actions: enough to see the first rounds. */
const actions = { master: 60 };
const MOST = 400;

function think(match, seat, level, salt) {
  put(level);
  const search = terra.search_open(match, -1, seat, salt);
  while (terra.search_run(search, 8));
  const { best } = get(terra.search_result(search, 1));
  terra.search_close(search);
  return best;
}

function play(level) {
  put('game: mystica\nseats: 4\nseed: 0000000000000001\n');
  const match = terra.open();
  const answers = [];
  const turns = [];
  let whose = -1;
  for (let i = 0; i < (actions[level] ?? MOST); i++) {
    const { seat } = get(terra.status(match));
    if (seat < 0) break;
    const begin = spent();
    const text = think(match, seat, level, i);
    const ms = spent() - begin;
    put(text);
    terra.type(match, seat);
    answers.push(ms);
    if (seat === whose) turns.push(turns.pop() + ms);
    else turns.push(ms);
    whose = text.startsWith('done') ? -1 : seat;
  }
  terra.close(match);
  return { answers, turns };
}

for (const level of process.argv.length > 2 ? process.argv.slice(2) : ['club', 'expert', 'master']) {
  const { answers, turns } = play(level);
  const tell = (name, list) => console.log(`${level}: ${name}, ms: ${median(list).toFixed(1)} median, ${Math.max(...list).toFixed(1)} worst of ${list.length}`);
  tell('whole turn', turns);
  tell('one answer', answers);
}
