/* What the worker does when asked; each call is one message there and back.
 * Long work (bots, analysis) runs in slices, so that other calls are answered
 * in between. */
import { TerraModule } from './module';
import type { Analysis, Fault, GameInfo, Refusable, Scene, Snapshot } from './types';

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class EngineApi {
  readonly #terra: TerraModule;

  constructor(terra: TerraModule) {
    this.#terra = terra;
  }

  games(): GameInfo[] {
    return this.#terra.games().map((game) => ({ ...game, levels: this.#levels(game) }));
  }

  /* Weakest first.  `simple` looks one action ahead with the game's own
   * ranking; searches join the list as they come. */
  #levels(game: { ranks: boolean }): string[] {
    return game.ranks ? ['random', 'simple'] : ['random'];
  }

  open(setup: string): Refusable<number> {
    return this.#terra.open(setup);
  }

  read(text: string, game?: string, format?: string): Refusable<number> {
    return this.#terra.read(text, game, format);
  }

  close(handle: number): void {
    this.#terra.close(handle);
  }

  snapshot(handle: number, viewer: number, from: number): Snapshot {
    return this.#terra.snapshot(handle, viewer, from);
  }

  scene(handle: number, at: number, viewer: number): Scene {
    return this.#terra.scene(handle, at, viewer);
  }

  effects(handle: number, at: number, seat: number, viewer: number): unknown[] {
    return this.#terra.effects(handle, at, seat, viewer);
  }

  type(handle: number, seat: number, line: string): Refusable<null> {
    return this.#terra.type(handle, seat, line);
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

  /** The action a bot of that level plays for the seat. */
  async think(handle: number, seat: number, level: string, salt: number): Promise<string | null> {
    await pause();
    if (level !== 'random') {
      const best = this.#terra.rank(handle, -1, seat, 1);
      if (best?.[0]) return best[0].text;
    }
    return this.#terra.random(handle, seat, salt);
  }

  async analyse(handle: number, at: number, seat: number, most: number): Promise<Analysis> {
    await pause();
    return this.#terra.analyse(handle, at, seat, most);
  }

  /** Estimates after 0, 1, ... `count` steps; null if the game has none. */
  async estimates(handle: number, count: number): Promise<number[][] | null> {
    const all: number[][] = [];
    for (let at = 0; at <= count; at++) {
      const now = this.#terra.estimate(handle, at);
      if (!now) return null;
      all.push(now);
      if (at % 16 === 15) await pause();
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
