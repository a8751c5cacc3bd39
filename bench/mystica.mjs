// Measures the table of Terra Mystica: bytes until it stands, and what showing
// the scene after an action costs in the module and in the page.
// usage: node bench/mystica.mjs [--json] [--each] [--whole] [--control] [--passes=5]; needs what bench/web.mjs needs.
// --whole plays the game from its first dwelling to its end; --control does the
// same work before every action, to tell what the machine makes of it.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aim, mine, scene, sitDown, tap, wanted } from '../web/tests/e2e/mystica.mjs';
import { launch, open, serve } from '../web/tests/e2e/table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/* The last step of the first turn. */
const turn = (steps) => steps.findIndex(({ text }) => text === 'done');
const PASSES = Number(process.argv.find((arg) => arg.startsWith('--passes='))?.slice(9) ?? 5);
const results = {};
const whole = readFileSync(`${root}tests/games/mystica/landscapes-5p-base-5002.tsv`, 'utf8').split('\n');
const WHOLE = process.argv.includes('--whole');
const CONTROL = process.argv.includes('--control');
const middle = `${whole.slice(0, whole.findIndex((line) => (WHOLE ? /\tpick-color/.test(line) : line.startsWith('Round 4, turn 1')))).join('\n')}\n`;

const assets = `${root}web/dist/assets/`;
const wasm = readdirSync(assets).find((name) => name.endsWith('.wasm'));
const server = await serve();
const browser = await launch();

/* Work that never changes: reckoning; a walk over 4 MB from one line of memory to
 * another far off; elements made, styled and laid out. */
function fixedWork() {
  const STEPS = 1 << 16;
  const walk = new Uint32Array(16 * STEPS);
  const order = Array.from({ length: STEPS }, (_, i) => i);
  let state = 1;
  for (let i = STEPS - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const j = state % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  order.forEach((at, i) => { walk[16 * at] = 16 * order[(i + 1) % STEPS]; });
  const box = document.createElement('div');
  box.style.cssText = 'position: fixed; inset: 0; contain: strict; pointer-events: none; opacity: 0';
  document.body.append(box);
  const row = () => {
    const one = document.createElement('div');
    one.innerHTML = '<b>7</b><span class="muted">some words</span><button class="btn quiet">more</button>';
    return one;
  };
  const works = {
    reckoning: () => { let x = 1; for (let i = 0; i < 2_500_000; i++) x = (Math.imul(x, 1103515245) + 12345) >>> 0; return x; },
    memory: () => { let at = 0; for (let i = 0; i < STEPS; i++) at = walk[at]; return at; },
    elements: () => box.replaceChildren(...Array.from({ length: 75 }, row)),
  };
  globalThis.work = (name) => new Promise((resolve) => {
    setTimeout(() => { works[name](); requestAnimationFrame(() => setTimeout(resolve)); });
  });
  globalThis.clear = () => box.replaceChildren();
}

/* Processor time of the page's main thread, from the click that plays an action
 * until the frame that shows what came of it has been handed on to be drawn:
 * script, style, layout, and all the rest, painting above all.  Where tiles are
 * to be chosen now it is the frame that shows them.  Turns as people take them,
 * from the first after the table was opened until some turns into the next
 * round; the first pass also counts what is fetched. */
async function pass(first) {
  const page = await open(browser, 'about:blank');
  await page.addInitScript(tap);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  const kinds = new Map();
  session.on('Network.responseReceived', (e) => kinds.set(e.requestId, e.response.mimeType));
  session.on('Network.loadingFinished', (e) => { if (/javascript|css/.test(kinds.get(e.requestId) ?? '')) bytes += e.encodedDataLength; });
  await sitDown(page, server.url, middle);
  await mine(page);
  if (first) results['until the table stands, import and replay included: script and style, bytes'] = bytes;
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const [script, style, layout] = [of('ScriptDuration'), of('RecalcStyleDuration'), of('LayoutDuration')];
    return { script, style, layout, painting: of('TaskDuration') - of('DevToolsCommandDuration') - script - style - layout };
  };
  const times = [];
  const fixed = [];
  const seen = new Set();
  const since = async (begin) => {
    const end = await spent();
    return Object.fromEntries(Object.keys(end).map((part) => [part, 1000 * (end[part] - begin[part])]));
  };
  const rest = async () => {
    for (let i = 0; i < 6; i++) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestIdleCallback(resolve)))));
  };
  async function control() {
    const took = {};
    for (const name of ['reckoning', 'memory', 'elements']) {
      await rest();
      const begin = await spent();
      await session.send('Runtime.evaluate', { expression: `work('${name}')`, awaitPromise: true });
      took[name] = await since(begin);
    }
    await page.evaluate(() => globalThis.clear());
    fixed.push(took);
  }
  if (CONTROL) await page.evaluate(fixedWork);
  /* Pointing at the button, and watching, are no part of what is measured. */
  async function press(text, locator, before) {
    await page.evaluate((node) => {
      /* The answer of the module has come, and what can be done now is another. */
      const before = globalThis.shownScene;
      const shown = new Promise((resolve) => {
        const watch = new MutationObserver(() => {
          if (globalThis.shownScene === before) return;
          watch.disconnect();
          resolve();
        });
        watch.observe(document.querySelector('.foot'), { childList: true, subtree: true, characterData: true, attributes: true });
      });
      node.focus();
      const frame = globalThis.frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const asks = () => (globalThis.shownScene.phase === 'cards' || globalThis.shownScene.actions.some(({ kind }) => kind === 'favour' || kind === 'town')) && !document.querySelector('.tray [data-tile]');
      /* In a task of its own, not inside a command of the debugger. */
      globalThis.press = () => new Promise((resolve) => {
        setTimeout(async () => {
          node.click();
          await shown;
          do await frame(); while (asks());
          resolve();
        });
      });
    }, await locator.elementHandle());
    /* Nor is what the page makes ready while somebody thinks. */
    if (CONTROL) await control();
    await rest();
    const begin = await spent();
    await session.send('Runtime.evaluate', { expression: 'press()', awaitPromise: true });
    const took = await since(begin);
    await session.send('Runtime.evaluate', { expression: 'frame().then(frame)', awaitPromise: true });
    times.push({ text, took, all: await since(begin), round: (await scene(page)).round > before });
  }
  for (let later = 0; later < 8; ) {
    const now = await mine(page);
    if (!now) break;
    if (now.round > 4 && !WHOLE) later++;
    const action = wanted(now, seen);
    seen.add(action.kind);
    if (seen.size > 6) seen.clear();
    await press(action.text, await aim(page, now, action), now.round);
    const confirm = page.getByRole('button', { name: 'Confirm turn' });
    if (await confirm.isVisible()) await press('', confirm, (await scene(page)).round);
  }
  await page.context().close();
  return { times, fixed };
}

/* The same actions in the module: typing each, and writing all that the page
 * asks for before it shows what came of it. */
function modulePass(texts) {
  const { exports: terra } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${assets}${wasm}`)), {});
  terra._initialize();
  const put = (text) => {
    const size = Buffer.byteLength(text);
    Buffer.from(terra.memory.buffer, terra.input(size + 2), size + 2).write(`${text}\0\0`);
    return size;
  };
  const get = (length) => JSON.parse(Buffer.from(terra.memory.buffer, terra.output(), length).toString());
  const match = terra.read(put(middle));
  const type = (seat, text) => { put(text); terra.type(match, seat); };
  /* The table has been opened before anybody acts. */
  const ask = (count, seat) => { get(terra.log(match, count, seat)); get(terra.scene(match, -1, seat)); terra.write(match, 0, -1, -2); };
  for (let i = 0; i < 3; i++) ask(0, get(terra.status(match)).seat);
  return texts.map((text) => {
    const { seat, count } = get(terra.status(match));
    const begin = process.cpuUsage();
    if (text) type(seat, text);
    const next = get(terra.status(match)).seat;
    ask(count, next);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const report = (what, list, unit = ', ms') => {
  const sorted = [...list].sort((a, b) => a - b);
  for (const [name, share] of [['median', 0.5], ['95 of 100', 0.95], ['99 of 100', 0.99], ['worst', 1]]) results[`${what}${unit}, ${name}`] = +at(sorted, share).toFixed(1);
};

/* At the end of a turn the next of five people at this screen is shown: another
 * faction board, and all that depends on who looks. */
try {
  const passes = [];
  const fixed = [];
  for (let i = 0; i < PASSES; i++) {
    const one = await pass(i === 0);
    passes.push(one.times);
    fixed.push(one.fixed);
  }
  results['module, bytes (brotli)'] = readFileSync(`${assets}${wasm}.br`).length;
  const steps = passes[0];
  /* The middle of five: compiling goes on beside the first ones. */
  const inModule = Array.from({ length: 5 }, () => modulePass(steps.map(({ text }) => text)));
  const module = steps.map((_, k) => at(inModule.map((one) => one[k]).sort((a, b) => a - b), 0.5));
  const single = passes.flatMap((one) => one.map((step, k) => ({ ...step, first: k <= turn(one), module: module[k] })));
  const dom = ({ script, style, layout }) => script + style + layout;
  /* The update itself, and with what the browser makes of it. */
  const update = (step) => step.took.script + step.module;
  const both = (step) => dom(step.took) + step.module;
  const whole = (step) => both(step) + step.took.painting;
  report('module: an action, its log, scene and record', module);
  for (const part of ['script', 'style', 'layout', 'painting']) report(`page: ${part}`, single.map(({ took }) => took[part]));
  report('module and script: the scene is brought up to date', single.map(update));
  report('both: module, script, style, layout', single.map(both));
  report('both: the screen handed on', single.filter(({ text }) => text === 'done').map(both));
  report('both: the first turn', single.filter(({ first }) => first).map(both));
  report('both: a change of round', single.filter(({ round }) => round).map(both));
  report('both, with painting', single.map(whole));
  report('both, and what follows in two more frames', single.map((step) => dom(step.all) + step.module));
  const least = (of) => steps.map((_, k) => Math.min(...single.filter((__, i) => i % steps.length === k).map(of)));
  report('least of all passes: both', least(both));
  report('least of all passes: both, with painting', least(whole));
  results['of how many actions'] = single.length;
  results['16 ms or more, module and script'] = single.filter((step) => update(step) >= 16).length;
  results['16 ms or more, style and layout with them'] = single.filter((step) => both(step) >= 16).length;
  /* How far a single measurement is from the middle of all passes at that place:
   * the same yardstick for actions and for work that never changes. */
  const stretch = (what, lists) => {
    const times = steps.flatMap((_, k) => {
      const list = lists.map((one) => one[k]);
      const middle = at([...list].sort((a, b) => a - b), 0.5);
      return list.map((ms) => ms / middle);
    });
    report(`${what}, times the middle of its passes`, times, '');
    for (const many of [1.5, 2]) results[`${what}, ${many} times the middle of its passes or more`] = times.filter((one) => one >= many).length;
  };
  if (PASSES > 2) stretch('an action', passes.map((one) => one.map(({ took }) => dom(took))));
  for (const name of CONTROL ? ['reckoning', 'memory', 'elements'] : []) {
    const lists = fixed.map((one) => one.map((took) => dom(took[name])));
    report(`control: ${name}`, lists.flat());
    if (PASSES > 2) stretch(`control: ${name}`, lists);
  }
  if (process.argv.includes('--each')) steps.forEach(({ text }, k) => console.log((text || 'confirm').padEnd(30), single.filter((_, i) => i % steps.length === k).map((step) => `${both(step).toFixed(1)} (${whole(step).toFixed(1)})`).join(' ')));
} finally {
  await browser.close();
  await server.stop();
}

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else for (const [what, value] of Object.entries(results)) console.log(`${what.padEnd(80)} ${value}`);
