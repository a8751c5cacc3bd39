/* The WebAssembly module behind typed calls.  Runs in the worker and, in
 * tests, in node. */
import type { Choice, Fault, GameInfo, Refusable, Scene, Snapshot, Status, Step, Thought } from './types';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(size: number): number;
  output(): number;
  games(): number;
  open(): number;
  read(length: number): number;
  close(handle: number): void;
  scene(handle: number, at: number, viewer: number): number;
  picture(handle: number, at: number, viewer: number): number;
  effects(handle: number, at: number, seat: number, viewer: number): number;
  log(handle: number, from: number, viewer: number): number;
  status(handle: number): number;
  setup(handle: number): number;
  note(handle: number): number;
  set_note(handle: number): number;
  write(handle: number, format: number, count: number, viewer: number): number;
  remarks(handle: number): number;
  estimate(handle: number, at: number): number;
  rank(handle: number, at: number, seat: number, most: number): number;
  hash(handle: number, at: number): number;
  bots(): number;
  search_open(handle: number, at: number, seat: number, salt: number): number;
  search_run(number: number, nodes: number): number;
  search_result(number: number, most: number): number;
  search_close(number: number): void;
  aside(handle: number, bots: number): number;
  type(handle: number, seat: number): number;
  try(handle: number, seat: number): number;
  random(handle: number, seat: number, salt: number): number;
  undo(handle: number, force: number): number;
  redo(handle: number): number;
  stop(handle: number, reason: number, seat: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class TerraModule {
  readonly #live = new Set<number>();
  readonly #exports: Exports;

  constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Exports;
    this.#exports._initialize();
  }

  static async load(source: Response | Promise<Response>): Promise<TerraModule> {
    const { instance } = await WebAssembly.instantiateStreaming(source, {});
    return new TerraModule(instance);
  }

  /* Memory can move whenever C allocates, so views are made per call. */
  #put(...parts: string[]): number {
    const bytes = encoder.encode(parts.join('\0'));
    const at = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return encoder.encode(parts[0] ?? '').length;
  }

  #text(length: number): string {
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), length));
  }

  /* Length of an output ended by NUL, for calls that return something else. */
  #fault(): Fault {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.output());
    return JSON.parse(this.#text(bytes.indexOf(0))) as Fault;
  }

  #refusable(handle: number): Refusable<number> {
    if (handle > 0) this.#live.add(handle);
    return handle > 0 ? { ok: true, value: handle } : { ok: false, fault: this.#fault() };
  }

  games(): Omit<GameInfo, 'levels'>[] {
    return JSON.parse(this.#text(this.#exports.games())) as GameInfo[];
  }

  open(setup: string): Refusable<number> {
    this.#put(setup);
    return this.#refusable(this.#exports.open());
  }

  read(text: string, game = '', format = ''): Refusable<number> {
    const length = this.#put(text, game, format, '');
    return this.#refusable(this.#exports.read(length));
  }

  close(handle: number): void {
    this.#live.delete(handle);
    this.#exports.close(handle);
  }

  /** Has the match not been closed meanwhile? */
  has(handle: number): boolean {
    return this.#live.has(handle);
  }

  status(handle: number): Status {
    return JSON.parse(this.#text(this.#exports.status(handle))) as Status;
  }

  /** An SVG file; empty if the game draws none. */
  picture(handle: number, at: number, viewer: number): string {
    return this.#text(this.#exports.picture(handle, at, viewer));
  }

  scene(handle: number, at: number, viewer: number): Scene {
    return JSON.parse(this.#text(this.#exports.scene(handle, at, viewer))) as Scene;
  }

  effects(handle: number, at: number, seat: number, viewer: number): unknown[] {
    return JSON.parse(this.#text(this.#exports.effects(handle, at, seat, viewer))) as unknown[];
  }

  log(handle: number, from: number, viewer: number): Step[] {
    return JSON.parse(this.#text(this.#exports.log(handle, from, viewer))) as Step[];
  }

  snapshot(handle: number, viewer: number, from: number): Snapshot {
    return {
      status: this.status(handle),
      scene: this.scene(handle, -1, viewer),
      log: this.log(handle, from, viewer),
    };
  }

  setup(handle: number): string {
    return this.#text(this.#exports.setup(handle));
  }

  note(handle: number, key: string): string {
    this.#put(key);
    return this.#text(this.#exports.note(handle));
  }

  setNote(handle: number, key: string, value: string): boolean {
    this.#put(key, value, '');
    return this.#exports.set_note(handle) !== 0;
  }

  /** null: this match cannot be written so */
  write(handle: number, format: number, count: number, viewer: number): string | null {
    const length = this.#exports.write(handle, format, count, viewer);
    return length < 0 ? null : this.#text(length);
  }

  remarks(handle: number): string {
    return this.#text(this.#exports.remarks(handle));
  }

  estimate(handle: number, at: number): number[] | null {
    return JSON.parse(this.#text(this.#exports.estimate(handle, at))) as number[] | null;
  }

  rank(handle: number, at: number, seat: number, most: number): Choice[] | null {
    return JSON.parse(this.#text(this.#exports.rank(handle, at, seat, most))) as Choice[] | null;
  }

  bots(): { name: string; help: string }[] {
    return JSON.parse(this.#text(this.#exports.bots())) as { name: string; help: string }[];
  }

  /** 0 if this bot cannot think about this. */
  searchOpen(handle: number, at: number, seat: number, bot: string, salt: number): number {
    this.#put(bot);
    return this.#exports.search_open(handle, at, seat, salt);
  }

  searchRun(search: number, nodes: number): boolean {
    return this.#exports.search_run(search, nodes) !== 0;
  }

  searchResult(search: number, most: number): Thought {
    return JSON.parse(this.#text(this.#exports.search_result(search, most))) as Thought;
  }

  searchClose(search: number): void {
    this.#exports.search_close(search);
  }

  /** What the first of those seats does that acts out of turn. */
  aside(handle: number, bots: number): { seat: number; text?: string } {
    return JSON.parse(this.#text(this.#exports.aside(handle, bots))) as { seat: number; text?: string };
  }

  hash(handle: number, at: number): string {
    return this.#text(this.#exports.hash(handle, at));
  }

  type(handle: number, seat: number, line: string): Refusable<null> {
    this.#put(line);
    return this.#exports.type(handle, seat) ? { ok: true, value: null } : { ok: false, fault: this.#fault() };
  }

  try(handle: number, seat: number, text: string): Fault | null {
    this.#put(text);
    return this.#exports.try(handle, seat) ? null : this.#fault();
  }

  random(handle: number, seat: number, salt: number): string | null {
    const text = this.#text(this.#exports.random(handle, seat, salt));
    return text ? (JSON.parse(text) as string) : null;
  }

  undo(handle: number, force: boolean): boolean {
    return this.#exports.undo(handle, force ? 1 : 0) !== 0;
  }

  redo(handle: number): boolean {
    return this.#exports.redo(handle) !== 0;
  }

  stop(handle: number, reason: number, seat: number): void {
    this.#exports.stop(handle, reason, seat);
  }
}
