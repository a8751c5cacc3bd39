/* A table in this browser: the match lives in the worker and in IndexedDB. */
import { engine, gameInfo } from '../engine/engine';
import { EVERYTHING, SPECTATOR, type Fault, type GameInfo, type Refusable, type Scene, type Snapshot, type Status, type Step, type Thought } from '../engine/types';
import { settings } from '../settings.svelte';
import { isSavedGame, loadGame, newId, saveGame, type SavedGame, type SeatSetup } from '../store/db';
import { m } from '../../paraglide/messages';
import { drawable, loadView } from '../../games';
import type { GameView } from '../../games/board';
import { painted } from '../painted';
import { kept } from './kept';
import type { Table } from './table';
import { unsaid } from './unsaid';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A turn of a bot is shown action by action, in at most this time in all. */
const TURN_SHOWN_MS = 1500;
const ACTION_SHOWN_MS = 450;
/** So often something is shown that nobody sees, before a table opens, and not
 *  for longer than this. */
const REHEARSALS = 6;
const REHEARSED_MS = 200;
/** Where people may speak out of turn, bots leave them this time before each of
 *  their actions, whatever anybody holds. */
const CLAIM_MS = 2500;

export interface NewGame {
  game: string;
  title: string;
  setup: string;
  seats: SeatSetup[];
}

/** 64 random bits as game/setup.h reads them. */
export const newSeed = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const boardName = (scene: Scene): string => {
  const board = (scene as { board?: { name?: unknown } }).board;
  return typeof board?.name === 'string' ? board.name : '';
};
const colours = (scene: Scene): string[] =>
  scene.seats.map((seat) => String((seat as { colour?: unknown }).colour ?? ''));

/** The tag of a record that names a seat's player. */
const nameTag = (game: string, seat: number): string => `${game === 'terrax' ? 'P' : 'Seat'}${seat + 1}`;

/** The record to keep, or nothing where the worker keeps it itself. */
async function recordOf(handle: number, id: string, hidden: boolean, known?: string | null): Promise<string> {
  if (hidden) {
    await engine.seal(handle, id);
    return '';
  }
  const text = known === undefined ? await engine.write(handle, 0, -1, EVERYTHING) : known;
  if (text === null) throw new Error('this match cannot be kept');
  return text;
}

/** Stores a match that is open in the worker; the handle is closed. */
async function store(handle: number, title: string, seats: SeatSetup[], more: Partial<SavedGame> = {}): Promise<string> {
  const snapshot = await engine.snapshot(handle, SPECTATOR, 0);
  const { status, scene, log } = snapshot;
  const id = newId();
  const text = await recordOf(handle, id, (await gameInfo(status.game)).hidden);
  await engine.close(handle);
  await saveGame({
    id,
    version: 1,
    game: status.game,
    title,
    created: Date.now(),
    updated: Date.now(),
    text,
    committed: status.count,
    seats,
    summary: {
      colours: colours(scene), points: scene.seats.map((seat) => seat.points), board: boardName(scene),
      turn: log.filter((step) => step.last).length, actor: status.seat, over: status.over,
    },
    seed: Math.floor(Math.random() * 2 ** 31),
    ...more,
  });
  return id;
}

export async function createGame(from: NewGame): Promise<Refusable<string>> {
  const opened = await engine.open(from.setup);
  if (!opened.ok) return opened;
  await engine.setNotes(opened.value, {
    ...Object.fromEntries(from.seats.map((seat, i) => [nameTag(from.game, i), seat.name.replaceAll('"', "'")])),
    Date: new Date().toISOString().slice(0, 10),
  });
  return { ok: true, value: await store(opened.value, from.title, from.seats) };
}

/** Begins a game that explains itself. */
export async function createLesson(view: GameView, title: string, seats: SeatSetup[]): Promise<Refusable<string>> {
  const read = await engine.read(view.lesson ?? '');
  if (!read.ok) return read;
  return { ok: true, value: await store(read.value, title, seats, { guided: true }) };
}

/** Stores what somebody pasted or dropped; all seats are played by people. */
export async function importGame(text: string, title: string, origin?: SavedGame['origin']): Promise<Refusable<{ id: string; game: string; remarks: string }>> {
  const read = await engine.read(text);
  if (!read.ok) return read;
  const { game, seats: count } = await engine.status(read.value);
  if (!drawable(game)) {
    await engine.close(read.value);
    return { ok: false, fault: { name: 'client.game', phrase: '', paragraph: null, line: 0, column: 0, subject: game } };
  }
  const names = await engine.notes(read.value, Array.from({ length: count }, (_, i) => nameTag(game, i)));
  const remarks = await engine.remarks(read.value);
  const seats = names.map((name, i) => ({ name: name || m.player_n({ number: i + 1 }), player: 'human' }));
  return { ok: true, value: { id: await store(read.value, title, seats, origin ? { origin } : {}), game, remarks } };
}

/** What is shown once it is kept. */
interface Next extends Snapshot {
  /** all steps */
  log: Step[];
  viewer: number;
  committed: number;
}

/** The same as it is shown, and who must not look. */
interface Shown extends Next {
  curtain: number;
}

/** Who is asked: for a finished but unconfirmed turn still its player. */
function actorOf({ status, log, committed }: Omit<Next, 'viewer' | 'scene'>): number {
  const last = status.count > committed ? log[status.count - 1] : undefined;
  return last?.last ? last.seat : status.seat;
}

/* Where cards are hidden, what has been revealed cannot be taken back; the
 * player ends such a turn by an action of its own, so nothing waits for a
 * confirmation. */
const revealed = (log: Step[], committed: number): number =>
  Math.max(committed, log.findLastIndex((step) => step.last) + 1);

export class LocalTable implements Table {
  readonly id: string;
  readonly info: GameInfo;
  readonly seats: SeatSetup[];
  readonly readOnly: boolean;
  readonly guided: boolean;
  /** a plan: forked from a table of the server, seen as that seat sees it */
  readonly origin: SavedGame['origin'];

  title = $state('');
  thinking = $state(-1);
  used = $state<number[]>([]);
  paused = $state(false);
  speed = $state(1);
  trouble = $state<string | null>(null);
  standing = $state<string[]>([]);
  claimer = $state(-1);

  complete = $derived.by(() => this.status.count > this.committed && this.log[this.status.count - 1]!.last);
  actor = $derived.by(() => (this.claimer >= 0 ? this.claimer : actorOf(this)));
  mine = $derived.by(() => !this.readOnly && this.curtain < 0 && this.isHuman(this.actor));
  canUndo = $derived.by(() => this.claimer < 0 && this.status.count > this.committed);
  canRedo = $derived.by(() => this.claimer < 0 && this.status.total > this.status.count);
  claimants = $derived.by(() => {
    if (this.readOnly || this.origin || this.status.over || this.claimer >= 0 || this.curtain >= 0) return [];
    return this.seats.flatMap((_, seat) => (this.status.may >> seat & 1 && seat !== this.status.seat && this.isHuman(seat) ? [seat] : []));
  });
  exhibition = $derived.by(() => this.seats.every((seat) => seat.player !== 'human'));

  /* All that an action changes is one signal: who looks at several parts is
   * told once. */
  #now: Shown = $state.raw()!;
  get scene(): Scene { return this.#now.scene; }
  get status(): Status { return this.#now.status; }
  get log(): Step[] { return this.#now.log; }
  get committed(): number { return this.#now.committed; }
  get curtain(): number { return this.#now.curtain; }
  get viewer(): number { return this.#now.viewer; }
  /** what each action of the scene would do; empty until that is known */
  effects = $state.raw<unknown[]>([]);

  #handle: number;
  #saved: SavedGame;
  #closed = false;
  #driving = false;
  #queue: Promise<unknown> = Promise.resolve();
  #unlock: (() => void) | null = null;
  #view: GameView | undefined;
  /** the only person at this screen, or -1 */
  readonly #person: number;
  #looked = performance.now();
  #timer = 0;

  private constructor(info: GameInfo, saved: SavedGame, handle: number, snapshot: Snapshot, readOnly: boolean) {
    this.id = saved.id;
    this.info = info;
    this.seats = saved.seats;
    this.title = saved.title;
    this.readOnly = readOnly;
    const people = saved.seats.flatMap((seat, i) => (seat.player === 'human' ? [i] : []));
    this.#person = people.length === 1 ? people[0]! : -1;
    this.#saved = saved;
    this.#handle = handle;
    this.standing = saved.seats.map((_, seat) => saved.standing?.[seat] ?? '');
    this.guided = saved.guided === true;
    this.origin = saved.origin;
    this.used = saved.seats.map((_, seat) => saved.used?.[seat] ?? 0);
    this.#show({ ...snapshot, viewer: SPECTATOR, committed: Math.min(saved.committed, snapshot.status.count) });
  }

  /** Opens a saved match; throws what a person should read if it cannot. */
  static async open(id: string, readOnly = false): Promise<LocalTable | Fault | 'missing' | 'foreign' | 'busy'> {
    const saved = await loadGame(id);
    if (saved === undefined) return 'missing';
    if (!isSavedGame(saved)) return 'foreign';
    const unlock = readOnly ? () => {} : await lock(id);
    if (!unlock) return 'busy';
    const read = saved.text ? await engine.read(saved.text, saved.game) : await engine.unseal(id, saved.game);
    if (!read?.ok) {
      unlock();
      return read ? read.fault : 'missing';
    }
    const info = await gameInfo(saved.game);
    const snapshot = await engine.snapshot(read.value, SPECTATOR, 0);
    const table = new LocalTable(info, saved, read.value, snapshot, readOnly);
    table.#unlock = unlock;
    table.#view = await loadView(saved.game);
    if (!readOnly) table.#timer = setInterval(() => table.#tick(), 1000) as unknown as number;
    await table.#look(table.#viewerFor(snapshot.status), snapshot.status.count);
    if (!readOnly) await table.#prepare(saved.text);
    return table;
  }

  /** Shows a record without keeping it. */
  static async show(text: string, title: string, seat: number): Promise<LocalTable | Fault> {
    const read = await engine.read(text);
    if (!read.ok) return read.fault;
    const snapshot = await engine.snapshot(read.value, SPECTATOR, 0);
    const { game, seats: count, over } = snapshot.status;
    const names = await engine.notes(read.value, Array.from({ length: count }, (_, i) => nameTag(game, i)));
    const seats = names.map((name, i) => ({ name: name || m.player_n({ number: i + 1 }), player: 'human' }));
    const saved = { id: '', version: 1, game, title, seats, committed: snapshot.status.count, ...(over ? {} : { origin: { table: '', seat, count: 0 } }) } as unknown as SavedGame;
    const table = new LocalTable(await gameInfo(game), saved, read.value, snapshot, true);
    table.#view = await loadView(game);
    table.#show(await table.#fetch(table.#viewerFor(snapshot.status), snapshot.status.count));
    return table;
  }

  /* Time runs for the seat that is asked, while somebody can see it. */
  #since(): number {
    return this.actor >= 0 && !this.status.over && !this.paused && !document.hidden ? performance.now() - this.#looked : 0;
  }

  #tick(): void {
    const more = this.#since();
    if (more) this.used[this.actor]! += more;
    this.#looked = performance.now();
  }

  isHuman(seat: number): boolean {
    return this.seats[seat]?.player === 'human';
  }

  /* People at one screen see what the seat to act may see.  Where cards are
   * hidden and several people share the screen, it shows what everybody knows
   * until the one whose turn it is says so; after the end it shows all. */
  #viewerFor(status: Status): number {
    const people = this.seats.flatMap((seat, i) => (seat.player === 'human' ? [i] : []));
    if (!this.info.hidden) return this.isHuman(status.seat) ? status.seat : (people[0] ?? SPECTATOR);
    if (this.origin) return this.origin.seat;
    if (status.over) return EVERYTHING;
    if (this.#person >= 0) return this.#person;
    if (this.readOnly || this.viewer === this.#asked(status)) return this.viewer;
    return SPECTATOR;
  }

  /* Whose answer is waited for: whoever speaks out of turn comes first. */
  #asked(status: Status): number {
    return this.claimer >= 0 ? this.claimer : status.seat;
  }

  #behindCurtain({ status, viewer }: Next): boolean {
    return !this.readOnly && !this.origin && this.info.hidden && viewer === SPECTATOR && !status.over && this.isHuman(this.#asked(status));
  }

  #show(next: Next, effects: unknown[] = []): void {
    const curtain = this.#behindCurtain(next) ? this.#asked(next.status) : -1;
    if (this.#now) this.#tick();
    const told = unsaid(next.scene, effects);
    this.effects = told.effects;
    this.#now = { ...next, curtain, scene: kept(this.#now?.scene, told.scene) };
  }

  /* What the first action might be and lead to, to be shown before anything is. */
  #trial: { line: string; after: Shown } | null = null;
  rehearsing = false;

  async #prepare(record: string): Promise<void> {
    const line = this.mine && !this.complete ? this.#view?.rehearsal?.(this.scene) : undefined;
    const after = line ? await engine.rehearsal(record, this.info.name, line) : null;
    if (line && after) this.#trial = { line, after: { ...this.#now, ...after, log: [...this.log, ...after.log] } };
  }

  /** Chooses an action, shows what it would lead to, and takes it back before
   *  anybody can see it: what the first action needs is compiled and styled by
   *  then. */
  rehearse(choose: (line: string | null) => void, drawn: () => void): void {
    const now = this.#now;
    const trial = this.#trial;
    this.#trial = null;
    if (!trial) return;
    drawn();
    this.rehearsing = true;
    const until = performance.now() + REHEARSED_MS;
    for (let i = 0; i < REHEARSALS && performance.now() < until; i++) {
      choose(trial.line);
      drawn();
      this.#now = { ...trial.after, scene: kept(now.scene, structuredClone(trial.after.scene)) };
      drawn();
      choose(null);
      this.#now = { ...now };
      drawn();
    }
    this.rehearsing = false;
  }

  /* The match as it stands in the worker.  Another viewer reads another log:
   * it is fetched anew. */
  async #fetch(viewer: number, from: number): Promise<Next> {
    const { committed } = this;
    const start = !this.info.hidden || viewer === this.viewer ? Math.min(from, this.log.length) : 0;
    const { status, scene, log: news } = await engine.snapshot(this.#handle, viewer, start);
    const log = [...this.log.slice(0, start), ...news];
    return { status, scene, log, viewer, committed: this.info.hidden ? revealed(log, committed) : committed };
  }

  async #look(viewer: number, from = 0): Promise<void> {
    const next = await this.#fetch(viewer, from);
    this.#show(next, await this.#effectsOf(next));
  }

  /** Keeps what has happened from that step on, and only then shows it: no
   *  reload loses what somebody has seen.  `decide` moves the mark behind which
   *  nothing can be taken back. */
  async #turnTo(from: number, decide: (next: Next) => number): Promise<void> {
    if (!this.info.hidden && this.claimer < 0) return void (await this.#openTurnTo(from, decide));
    const viewer = this.#viewerFor(await engine.status(this.#handle));
    const next = await this.#fetch(viewer, from);
    next.committed = Math.max(next.committed, decide(next));
    const [effects] = await Promise.all([this.#effectsOf(next), this.#keep(next)]);
    this.#show(next, effects);
  }

  /* Where nothing is hidden one question is enough, an action included. */
  async #openTurnTo(from: number, decide: (next: Next) => number, line?: string): Promise<Fault | null> {
    const { committed } = this;
    const people = this.seats.flatMap((seat, i) => (seat.player === 'human' ? [i] : []));
    const start = Math.min(from, this.log.length);
    const answer = await engine.turn(this.#handle, people, start, line);
    if ('fault' in answer) return answer.fault;
    const { text, ...turned } = answer;
    const next: Next = { ...turned, log: [...this.log.slice(0, start), ...turned.log], committed };
    next.committed = Math.max(committed, decide(next));
    await this.#keep(next, text);
    this.#show(next);
    this.#foresee(this.#now);
    return null;
  }

  /* What each action would do is wanted when somebody points at one: it is
   * asked for once the scene can be seen. */
  #foresee(now: Shown): void {
    if (!this.#asks(now)) return;
    painted(() => void this.#serial(async () => {
      if (this.#now !== now || this.#closed) return;
      this.effects = await this.#effectsOf(now);
    }));
  }

  /* What cannot be kept is shown all the same, with a warning. */
  async #keep(next: Next, text?: string | null): Promise<void> {
    try {
      await this.#save(next, text);
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** Shows the match as that viewer knows it. */
  look(viewer: number): Promise<void> {
    return this.#serial(() => this.#look(viewer));
  }

  lift(): Promise<void> {
    return this.#serial(async () => {
      if (this.curtain < 0) return;
      await this.#look(this.curtain);
      void this.drive();
    });
  }

  /* What each action would do, for whoever is asked at this screen. */
  async #effectsOf(next: Next): Promise<unknown[]> {
    return this.#asks(next) ? engine.effects(this.#handle, -1, this.#asked(next.status), next.viewer) : [];
  }

  #asks(next: Next): boolean {
    const { count, over } = next.status;
    const complete = count > next.committed && next.log[count - 1]!.last;
    return !over && !complete && !this.readOnly && this.isHuman(this.#asked(next.status)) && !this.#behindCurtain(next);
  }

  /* One thing at a time: a double click must not play twice. */
  #serial<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work, work);
    this.#queue = next.catch((error: unknown) => {
      this.trouble = error instanceof Error ? error.message : String(error);
    });
    return next;
  }

  play(line: string, final = false): Promise<Fault | null> {
    return this.#serial(async () => {
      if (!this.mine || this.complete) return null;
      return this.#play(line, final);
    });
  }

  async #play(line: string, final: boolean): Promise<Fault | null> {
    const before = this.status.count;
    const fault = await this.#typeTo(before, line, (next) => this.#typed(before, next, final || !settings.askEnd));
    if (!fault) void this.drive();
    return fault;
  }

  async #typeTo(before: number, line: string, decide: (next: Next) => number): Promise<Fault | null> {
    if (!this.info.hidden && this.claimer < 0) return this.#openTurnTo(before, decide, line);
    const typed = await engine.type(this.#handle, this.#asked(this.status), line);
    if (!typed.ok) return typed.fault;
    this.claimer = -1;
    await this.#turnTo(before, decide);
    return null;
  }

  /* A typed line may run on into later turns: those before the last are final.
   * So is what bots had a chance to speak about: their silence tells, too. */
  #typed(before: number, { status, log, committed }: Next, final: boolean): number {
    const { count } = status;
    if (this.info.hidden && this.#speakers(status)) return count;
    for (let i = before; i < count - 1; i++) if (log[i]!.last) committed = i + 1;
    const last = log[count - 1];
    return last?.last && final && this.isHuman(last.seat) ? count : committed;
  }

  /** A seat speaks out of turn; release() gives the word back. */
  claim(seat: number): Promise<void> {
    return this.#serial(async () => {
      if (this.status.over || this.curtain >= 0 || !(this.status.may >> seat & 1) || !this.isHuman(seat)) return;
      this.claimer = seat;
      await this.#look(this.#viewerFor(this.status));
    });
  }

  release(): Promise<void> {
    return this.#serial(async () => {
      this.claimer = -1;
      await this.#look(this.#viewerFor(this.status));
      void this.drive();
    });
  }

  confirm(): Promise<void> {
    return this.#serial(async () => {
      if (!this.complete) return;
      await this.#turnTo(this.status.count, ({ status }) => status.count);
      void this.drive();
    });
  }

  undo(): Promise<void> {
    return this.#serial(async () => {
      if (!this.canUndo) return;
      await this.#undoTo(this.status.count - 1);
    });
  }

  redo(): Promise<void> {
    return this.#serial(async () => {
      if (!this.canRedo || !(await engine.redo(this.#handle))) return;
      await this.#turnTo(this.status.count, () => 0);
    });
  }

  takeBack(): Promise<void> {
    return this.#serial(async () => {
      const start = this.#turnToTakeBack();
      if (start < 0) return;
      this.#now = { ...this.#now, committed: start };
      await this.#undoTo(start);
    });
  }

  #turnToTakeBack(): number {
    let at = this.committed - 1;
    while (at >= 0 && !this.isHuman(this.log[at]!.seat)) at--;
    while (at > 0 && !this.log[at - 1]!.last) at--;
    return at;
  }

  async #undoTo(count: number): Promise<void> {
    await engine.undoTo(this.#handle, count);
    await this.#turnTo(count, () => 0);
  }

  resign(): Promise<void> {
    return this.#serial(async () => {
      if (this.status.over) return;
      const reason = this.info.endings.indexOf('resign');
      await engine.stop(this.#handle, reason, this.actor);
      await this.#turnTo(this.status.count, ({ status }) => status.count);
    });
  }

  explain(texts: string[]): Promise<(Fault | null)[]> {
    return engine.explain(this.#handle, this.#asked(this.status), texts);
  }

  sceneAt(count: number): Promise<Scene> {
    return engine.scene(this.#handle, count, this.viewer);
  }

  /** The course of the match in those keys of its scenes. */
  course(keys: string[]): Promise<unknown[]> {
    return engine.course(this.#handle, 0, this.status.count, this.info.hidden ? this.viewer : SPECTATOR, keys);
  }

  /* Nobody is told what another seat's cards advise, nor anything in a game
   * against others that goes on. */
  async analyse(at: number, seat: number): Promise<Thought | null> {
    if (this.origin || (this.info.hidden && this.viewer !== seat && this.viewer !== EVERYTHING)) return null;
    const thought = await engine.analyse(this.#handle, at, seat, 3);
    return at < 0 && thought ? this.#advisable(thought) : thought;
  }

  /* What must be thought of is not advised either. */
  #advisable({ top, best, ...rest }: Thought): Thought | null {
    const listed = top.filter(({ text }) => this.scene.actions.some((action) => action.text === text));
    const first = listed.some(({ text }) => text === best) ? best : listed[0]?.text;
    return first === undefined ? null : { ...rest, best: first, top: listed };
  }

  async estimates(): Promise<number[][] | null> {
    if (this.origin || (this.info.hidden && !this.status.over)) return null;
    return engine.estimates(this.#handle, this.status.count);
  }

  /* Nobody can export more than the screen may show. */
  write(format: number, count: number): Promise<string | null> {
    return engine.write(this.#handle, format, count, this.info.hidden ? this.viewer : EVERYTHING);
  }

  async rename(title: string): Promise<void> {
    this.title = title;
    await this.#serial(() => this.#save(this));
  }

  async #save({ status, scene, log, committed }: Omit<Next, 'viewer'>, known?: string | null): Promise<void> {
    if (this.readOnly || this.#closed) return;
    const text = await recordOf(this.#handle, this.id, this.info.hidden, known);
    const more = this.#since();
    this.#saved = {
      ...this.#saved,
      title: this.title,
      updated: Date.now(),
      text,
      committed,
      used: this.used.map((ms, seat) => Math.round(seat === this.actor ? ms + more : ms)),
      standing: [...this.standing],
      seats: this.seats.map((seat) => ({ ...seat })),
      summary: {
        colours: colours(scene), points: scene.seats.map((seat) => seat.points), board: boardName(scene),
        turn: log.filter((step) => step.last).length, actor: actorOf({ status, log, committed }), over: status.over,
      },
    };
    await saveGame(this.#saved);
  }

  /* ---- bots, and seats that can only pass ---- */

  #waiting(): boolean {
    return this.#closed || this.readOnly || this.paused || this.claimer >= 0 || this.status.over || this.complete || this.curtain >= 0 || this.trouble !== null;
  }

  /** Lets bots act until a person is asked. */
  async drive(): Promise<void> {
    if (this.#driving) return;
    this.#driving = true;
    try {
      while (!this.#waiting()) {
        if (this.#speakers() && ((await this.#aside()) || this.#waiting())) continue;
        const seat = this.status.seat;
        if (!this.isHuman(seat)) await this.#botAction(seat);
        else if (this.#onlyPass()) await this.#serial(() => this.#forced(this.scene.actions[0]!.text));
        else if (this.#answer() !== null) await this.#serial(() => this.#forced(this.#answer()!));
        else break;
      }
    } finally {
      this.thinking = -1;
      this.#driving = false;
    }
  }

  #onlyPass(): boolean {
    const [only, other] = this.scene.actions as { kind?: string }[];
    return !this.info.hidden && only !== undefined && other === undefined && only.kind === 'pass' && this.status.count === this.committed;
  }

  /* What the seat to act has said in advance, between its own turns. */
  #answer(): string | null {
    const rule = this.standing[this.status.seat];
    return rule && this.viewer === this.status.seat && this.status.count === this.committed ? (this.#view?.standing?.(this.scene, rule) ?? null) : null;
  }

  setStanding(seat: number, rule: string): Promise<void> {
    return this.#serial(async () => {
      this.standing[seat] = rule;
      await this.#save(this);
      void this.drive();
    });
  }

  async #forced(text: string): Promise<void> {
    await this.#typeTo(this.status.count, text, ({ status }) => status.count);
  }

  async #botAction(seat: number): Promise<void> {
    this.thinking = seat;
    const count = this.status.count;
    const started = performance.now();
    const chosen = await engine.choose(this.#handle, seat, this.seats[seat]!.player, this.#saved.seed + count);
    await sleep(Math.max(0, this.#shown() - (performance.now() - started)));
    if (!chosen || this.#waiting() || this.status.count !== count) return;
    await this.#serial(async () => {
      await engine.act(this.#handle);
      await this.#turnTo(count, ({ status }) => status.count);
    });
  }

  /* Bots that may speak out of turn, as a mask. */
  #speakers({ may, seat } = this.status): number {
    return this.seats.reduce((mask, _, i) => (i === seat || this.isHuman(i) ? mask : mask | 1 << i), 0) & may;
  }

  /* They do as soon as they can, before anybody goes on. */
  #aside(): Promise<boolean> {
    return this.#serial(async () => {
      const { count } = this.status;
      if (this.#waiting() || !(await engine.aside(this.#handle, this.#speakers()))) return false;
      await engine.act(this.#handle);
      await this.#turnTo(count, ({ status }) => status.count);
      return this.status.count > count;
    });
  }

  #shown(): number {
    if (this.status.may && !this.exhibition) return CLAIM_MS / this.speed;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches && !this.exhibition) return 0;
    const placing = (this.scene as { phase?: string }).phase === 'place';
    return Math.min(placing ? 250 : ACTION_SHOWN_MS, TURN_SHOWN_MS / 3) / this.speed;
  }

  resume(): void {
    this.paused = false;
    void this.drive();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#unlock?.();
    void this.#queue.then(() => engine.close(this.#handle));
  }
}

/** Only one tab may write a match; null if another one has it. */
async function lock(id: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return () => {};
  return new Promise((resolve) => {
    void navigator.locks.request(`terrarium.${id}`, { ifAvailable: true }, (held) => {
      if (!held) {
        resolve(null);
        return undefined;
      }
      return new Promise<void>((release) => resolve(release));
    });
  });
}
