/* What the worker does when asked; each call is one message there and back.
 * Long work (bots, analysis) runs in slices, so that other calls are answered
 * in between. */
import { loadSealed, saveSealed } from '../store/db';
import { TerraModule } from './module';
import { EVERYTHING, SPECTATOR, type Fault, type GameInfo, type Refusable, type Scene, type Snapshot, type Status, type Thought, type Turned } from './types';

/* Back to the event loop and on at once: timers would wait some milliseconds. */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
const pause = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });

/** Longest stretch without looking for other calls. */
const SLICE_MS = 10;
/** Bots that exist for comparison are no opponents. */
const YARDSTICKS = ['greedy', 'uct'];
/** Who looks for hints and best actions: nobody who errs on purpose. */
const ADVISER = 'master';

export class EngineApi {
  readonly #terra: TerraModule;
  #asked = 0;
  /* Handles are reused: closing waits until nobody thinks about the match. */
  readonly #closed = new Set<number>();
  readonly #thinking = new Map<number, number>();

  constructor(terra: TerraModule) {
    this.#terra = terra;
  }

  games(): GameInfo[] {
    const levels = this.#terra.bots().map((bot) => bot.name).filter((name) => !YARDSTICKS.includes(name));
    return this.#terra.games().map((game) => ({ ...game, levels: game.estimates ? levels : levels.slice(0, 1) }));
  }

  /** A setup without a seed gets one here: where cards are hidden, nobody else may know it. */
  open(setup: string): Refusable<number> {
    const seed = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (/^seed:/m.test(setup)) return this.#terra.open(setup);
    const lines = setup.split('\n');
    const head = lines.findIndex((line) => !/^(game|seats|option [^:]*):/.test(line));
    lines.splice(head < 0 ? lines.length : head, 0, `seed: ${seed()}`);
    return this.#terra.open(lines.join('\n'));
  }

  /** Keeps the whole record in the browser; it never leaves the worker. */
  async seal(handle: number, id: string): Promise<void> {
    const text = this.#terra.write(handle, 0, -1, EVERYTHING);
    if (text === null) throw new Error('this match cannot be kept');
    await saveSealed(id, text);
  }

  async unseal(id: string, game: string): Promise<Refusable<number> | null> {
    const text = await loadSealed(id);
    return typeof text === 'string' ? this.#terra.read(text, game) : null;
  }

  status(handle: number): Status {
    return this.#terra.status(handle);
  }

  read(text: string, game?: string, format?: string): Refusable<number> {
    return this.#terra.read(text, game, format);
  }

  has(handle: number): boolean {
    return this.#terra.has(handle);
  }

  close(handle: number): void {
    if (this.#thinking.get(handle)) this.#closed.add(handle);
    else this.#terra.close(handle);
  }

  #begin(handle: number): void {
    this.#thinking.set(handle, (this.#thinking.get(handle) ?? 0) + 1);
  }

  #end(handle: number): void {
    const left = this.#thinking.get(handle)! - 1;
    this.#thinking.set(handle, left);
    if (left === 0 && this.#closed.delete(handle)) this.#terra.close(handle);
  }

  snapshot(handle: number, viewer: number, from: number): Snapshot {
    return this.#terra.snapshot(handle, viewer, from);
  }

  /** All that is shown and kept once something has happened, asked for at once:
   *  as that person sees it who is asked, else the first.  A line is played
   *  before, for whoever is to act.  Only where nothing is hidden. */
  turn(handle: number, people: number[], from: number, line?: string): Turned | { fault: Fault } {
    const typed = line === undefined ? null : this.#terra.type(handle, this.#terra.status(handle).seat, line);
    if (typed && !typed.ok) return { fault: typed.fault };
    const { seat } = this.#terra.status(handle);
    const viewer = people.includes(seat) ? seat : (people[0] ?? SPECTATOR);
    return { ...this.#terra.snapshot(handle, viewer, from), viewer, text: this.#terra.write(handle, 0, -1, EVERYTHING) };
  }

  scene(handle: number, at: number, viewer: number): Scene {
    return this.#terra.scene(handle, at, viewer);
  }

  /** Pictures of positions or records, as SVG; null where a text cannot be read or played. */
  draw(texts: { text: string; game: string; play: string }[]): (string | null)[] {
    return texts.map(({ text, game, play }) => {
      const opened = this.#terra.read(text, game);
      if (!opened.ok) return null;
      const played = !play || this.#terra.type(opened.value, this.#terra.status(opened.value).seat, play).ok;
      const picture = played ? this.#terra.picture(opened.value, -1, -1) : null;
      this.#terra.close(opened.value);
      return picture;
    });
  }

  /** Scenes after `from` to `to` steps, reduced to some keys of scene and seats. */
  async course(handle: number, from: number, to: number, viewer: number, keys: string[]): Promise<unknown[]> {
    const pick = (of: object): object => Object.fromEntries(Object.entries(of).filter(([key]) => keys.includes(key)));
    const list: unknown[] = [];
    this.#begin(handle);
    for (let at = from; at <= to && !this.#closed.has(handle); at++) {
      const scene = this.#terra.scene(handle, at, viewer);
      list.push({ ...pick(scene), seats: scene.seats.map(pick) });
      if (at % 8 === 7) await pause();
    }
    this.#end(handle);
    return list;
  }

  effects(handle: number, at: number, seat: number, viewer: number): unknown[] {
    return this.#terra.effects(handle, at, seat, viewer);
  }

  type(handle: number, seat: number, line: string): Refusable<null> {
    return this.#terra.type(handle, seat, line);
  }

  /** What would be seen after a line is played on a record; null if it cannot be. */
  rehearsal(record: string, game: string, line: string): Snapshot | null {
    const opened = this.#terra.read(record, game);
    if (!opened.ok) return null;
    const handle = opened.value;
    const { seat, count } = this.#terra.status(handle);
    const played = this.#terra.type(handle, seat, line).ok;
    const found = played ? this.#terra.snapshot(handle, seat, count) : null;
    this.#terra.close(handle);
    return found;
  }

  /** Why each text would be refused; null where it is legal. */
  explain(handle: number, seat: number, texts: string[]): (Fault | null)[] {
    return texts.map((text) => this.#terra.try(handle, seat, text));
  }

  /** Takes back steps until `count` are left. */
  undoTo(handle: number, count: number): void {
    while (this.#terra.status(handle).count > count && this.#terra.undo(handle, true));
  }

  redo(handle: number): boolean {
    return this.#terra.redo(handle);
  }

  stop(handle: number, reason: number, seat: number): void {
    this.#terra.stop(handle, reason, seat);
  }

  write(handle: number, format: number, count: number, viewer: number): string | null {
    return this.#terra.write(handle, format, count, viewer);
  }

  remarks(handle: number): string {
    return this.#terra.remarks(handle);
  }

  setup(handle: number): string {
    return this.#terra.setup(handle);
  }

  notes(handle: number, keys: string[]): string[] {
    return keys.map((key) => this.#terra.note(handle, key));
  }

  setNotes(handle: number, notes: Record<string, string>): void {
    for (const [key, value] of Object.entries(notes)) this.#terra.setNote(handle, key, value);
  }

  /** Runs a search to its end, or until the page asks for something newer. */
  async #search(handle: number, at: number, seat: number, bot: string, salt: number, most: number, stale: () => boolean): Promise<Thought | null> {
    const search = this.#terra.has(handle) && this.#terra.searchOpen(handle, at, seat, bot, salt);
    if (!search) return null;
    this.#begin(handle);
    try {
      for (let more = true; more && !stale(); ) {
        const until = performance.now() + SLICE_MS;
        while (more && performance.now() < until) more = this.#terra.searchRun(search, 8);
        await pause();
      }
      return stale() ? null : this.#terra.searchResult(search, most);
    } finally {
      this.#terra.searchClose(search);
      this.#end(handle);
    }
  }

  /** The action a bot of that level plays for the seat. */
  async think(handle: number, seat: number, level: string, salt: number): Promise<string | null> {
    const found = await this.#search(handle, -1, seat, level, salt, 1, () => this.#closed.has(handle));
    if (found || this.#closed.has(handle) || !this.#terra.has(handle)) return found?.best ?? null;
    return this.#terra.random(handle, seat, salt);
  }

  /* What bots are about to play, by handle: it may name hidden cards. */
  readonly #chosen = new Map<number, { seat: number; text: string }>();

  /** Lets a bot choose; act() plays it.  False if it has nothing to do. */
  async choose(handle: number, seat: number, level: string, salt: number): Promise<boolean> {
    const text = await this.think(handle, seat, level, salt);
    if (text !== null) this.#chosen.set(handle, { seat, text });
    return text !== null;
  }

  /** The same for the first of those seats that would act out of turn. */
  aside(handle: number, bots: number): boolean {
    const { seat, text } = this.#terra.aside(handle, bots);
    if (text !== undefined) this.#chosen.set(handle, { seat, text });
    return text !== undefined;
  }

  act(handle: number): void {
    const chosen = this.#chosen.get(handle);
    this.#chosen.delete(handle);
    if (chosen && this.#terra.has(handle)) this.#terra.type(handle, chosen.seat, chosen.text);
  }

  /** The best actions of a seat after `at` steps; a newer question ends this one. */
  async analyse(handle: number, at: number, seat: number, most: number): Promise<Thought | null> {
    const asked = ++this.#asked;
    return this.#search(handle, at, seat, ADVISER, 0, most, () => this.#asked !== asked || this.#closed.has(handle));
  }

  /** Estimates after 0, 1, ... `count` steps; null if the game has none. */
  async estimates(handle: number, count: number): Promise<number[][] | null> {
    const all: number[][] = [];
    if (!this.#terra.has(handle)) return null;
    this.#begin(handle);
    try {
      for (let at = 0; at <= count && !this.#closed.has(handle); at++) {
        const now = this.#terra.estimate(handle, at);
        if (!now) return null;
        all.push(now);
        if (at % 16 === 15) await pause();
      }
    } finally {
      this.#end(handle);
    }
    return all;
  }
}

export type Method = Exclude<keyof EngineApi, symbol>;
export interface Request {
  id: number;
  method: Method;
  args: unknown[];
}
export type Reply = { id: number; value: unknown } | { id: number; error: string };
