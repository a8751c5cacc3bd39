/* A table on the server.
 *
 * The server tells what this seat may know.  A turn is a draft here: each
 * action is tried on the server, which keeps nothing, and the whole line is
 * played when it is confirmed.  Where an action would reveal something hidden
 * it is played at once. */
import { gameInfo } from '../engine/engine';
import { EVERYTHING, SPECTATOR, type Fault, type GameInfo, type Scene, type Status, type Step } from '../engine/types';
import { m } from '../../paraglide/messages';
import { settings } from '../settings.svelte';
import type { SeatSetup } from '../store/db';
import { kept } from '../table/kept';
import type { Table } from '../table/table';
import { unsaid } from '../table/unsaid';
import { toast } from '../toast.svelte';
import { online, Refused } from './connection.svelte';
import { refusal } from './refusals';
import { clockText } from './words';
import type { ChatLine, Position, TableView } from './views';

/* Where others may speak between two steps, they have as long as before those of
 * a bot. */
const SPEAK_MS = 2500;

/* Refusals of the rules have their own words, the server's ours. */
const fault = (error: unknown): Fault =>
  ({ name: '', paragraph: null, line: 0, column: 0, subject: '', ...(error instanceof Refused ? error.error : {}), phrase: refusal(error) });

/* Steps of a line that are not played after all, and why, if it was refused. */
function dropped(steps: string[], why = ''): void {
  toast(`${m.steps_dropped({ steps: steps.join(' ') })} ${why}`.trim(), why ? 'bad' : 'info');
}

export class RemoteTable implements Table {
  readonly id: string;
  readonly invite: string;
  readonly info: GameInfo;
  readonly readOnly = false;
  readonly exhibition = false;
  readonly curtain = -1;
  readonly thinking = -1;
  readonly trouble = null;
  readonly used: number[] = [];
  readonly guided = false;
  paused = false;
  speed = 1;

  view = $state.raw() as TableView;
  scene = $state.raw() as Scene;
  status = $state.raw() as Status;
  log = $state.raw<Step[]>([]);
  effects = $state.raw<unknown[]>([]);
  committed = $state(0);
  chat = $state.raw<ChatLine[]>([]);
  /** the view came at this moment of our clock */
  at = $state(Date.now());
  now = $state(Date.now());

  #draft = $state.raw<string[]>([]);
  #undone = $state.raw<string[]>([]);
  #base: Step[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #off: (() => void)[] = [];
  #timer = 0;
  #later = 0;
  #rest: string[] = [];
  #closed = false;

  begun = $derived.by(() => this.view.state !== 'open');
  title = $derived.by(() => this.view.title);
  seat = $derived.by(() => this.view.seats.findIndex((seat) => !seat.gone && seat.user?.name === online.me?.user?.name));
  viewer = $derived.by(() => this.view.viewer);
  seats = $derived.by((): SeatSetup[] => this.view.seats.map((seat, i) => ({
    name: seat.bot && (seat.gone || !seat.user) ? (seat.user?.name ?? seat.bot) : (seat.user?.name ?? '–'),
    player: i === this.seat ? 'human' : (seat.bot ?? 'person'),
  })));
  asked = $derived.by(() => this.#named(this.status?.must));
  /** this seat speaks out of turn, or -1; whether it has something to say is its own affair */
  claimer = $state(-1);
  claimants = $derived.by(() => (this.claimer < 0 && this.view.state === 'running' && this.#named(this.status?.may) ? [this.seat] : []));
  complete = $derived.by(() => this.status.count > this.committed && (this.log[this.status.count - 1]?.last ?? false));
  actor = $derived.by(() => (this.complete || this.asked || this.claimer >= 0 ? this.seat : this.status.seat));
  mine = $derived.by(() => online.connected && (this.complete || this.asked || this.claimer >= 0) && this.view.state === 'running');
  /** how this seat wants its offers answered, where the game has such rules */
  standing = $derived.by(() => this.view.seats.map((_, i) => (i === this.seat ? (this.view.standing ?? '') : '')));
  /** a clock for each seat, if the table has any */
  clocks = $derived.by(() => this.left(this.now).map((ms, i) => ({ text: clockText(ms), runs: ((this.view.clock?.running ?? 0) >> i & 1) === 1, short: ms < 30_000 })));
  canUndo = $derived.by(() => this.#draft.length > 0);
  canRedo = $derived.by(() => this.#undone.length > 0);

  private constructor(id: string, invite: string, info: GameInfo, view: TableView) {
    this.id = id;
    this.invite = invite;
    this.info = info;
    this.#take(view);
    this.#off = [
      online.listen((event) => {
        if (event.event === 'table' && event.table === id) void this.#serial(async () => this.#take(event));
        if (event.event === 'chat' && event.table === id) this.chat = [...this.chat, event];
      }),
      online.onreturn(() => void this.#watch()),
    ];
    this.#timer = setInterval(() => { if (this.view.clock) this.now = Date.now(); }, 500) as unknown as number;
    void this.#chats();
  }

  /** Throws what a person should read. */
  static async open(id: string, invite = ''): Promise<RemoteTable> {
    const view = await online.ask('watch', { table: id, ...(invite ? { invite } : {}) });
    return new RemoteTable(id, invite, await gameInfo(view.game), view);
  }

  /* Is this seat in a mask of the status? */
  #named(mask = 0): boolean {
    return this.seat >= 0 && this.begun && !this.status.over && (mask >> this.seat & 1) === 1;
  }

  async claim(seat: number): Promise<void> {
    if (this.claimants.includes(seat)) this.claimer = seat;
  }

  async release(): Promise<void> {
    this.claimer = -1;
  }

  async #watch(): Promise<void> {
    const { seq, viewer } = this.view;
    try {
      const view = await online.ask('watch', { table: this.id, since: seq, viewer, ...(this.invite ? { invite: this.invite } : {}) });
      await this.#serial(async () => this.#take(view));
      await this.#chats();
    } catch {
      /* the next return tries again */
    }
  }

  async #chats(): Promise<void> {
    try {
      this.chat = (await online.ask('chats', { table: this.id, ...(this.invite ? { invite: this.invite } : {}) })).lines;
    } catch {
      /* not worth a word */
    }
  }

  #take(view: TableView): void {
    const moved = !this.view || this.view.seq !== view.seq;
    this.view = view;
    this.at = this.now = Date.now();
    if (!view.status) return;
    if (!moved && this.#draft.length) return; /* chat, take-backs: the draft stays */
    this.#base = [...this.#base.slice(0, view.from), ...view.log!];
    if (view.status.count < this.committed) this.#drop(); // a turn was taken back
    this.committed = view.status.count;
    const draft = this.#draft;
    this.#draft = [];
    this.#undone = [];
    this.#show(view as Position, this.#base);
    if (draft.length && this.asked) void this.#serial(() => this.#try(draft));
  }

  #show(position: Position, log: Step[]): void {
    this.log = log;
    this.status = position.status;
    const told = unsaid(position.scene, position.effects);
    this.scene = kept(this.scene, told.scene);
    this.effects = told.effects;
    if (!this.#named(this.status.may)) this.claimer = -1;
  }

  isHuman(seat: number): boolean {
    return seat >= 0 && seat === this.seat;
  }

  #serial<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work, work);
    this.#queue = next.catch(() => {});
    return next;
  }

  /* ---- the draft ---- */

  async #try(draft: string[]): Promise<Fault | null> {
    try {
      const tried = await online.ask('try', { table: this.id, line: draft.join('; ') });
      if (tried.final) return await (tried.steps ? this.#commitSteps(tried.steps) : this.#commit(draft));
      /* A line may hold several steps, and each is undone by itself. */
      this.#draft = tried.log!.map(({ text }) => text!);
      this.#show(tried as Position, [...this.#base, ...tried.log!]);
      return null;
    } catch (error) {
      return fault(error);
    }
  }

  async #commit(draft: string[]): Promise<Fault | null> {
    const key = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    try {
      await online.ask('play', { table: this.id, line: draft.join('; '), key, seq: this.view.seq });
      this.#draft = [];
      this.#undone = [];
      return null;
    } catch (error) {
      await this.#fresh();
      return fault(error);
    }
  }

  /* The first now, the others after those who may have a word to say. */
  async #commitSteps([step, ...rest]: string[]): Promise<Fault | null> {
    const refused = await this.#commit([step!]);
    if (!refused && rest.length) this.#follow(rest);
    return refused;
  }

  #follow(steps: string[]): void {
    if (this.#closed) return dropped(steps);
    this.#rest = steps;
    this.#later = setTimeout(() => void this.#serial(() => this.#goOn()), SPEAK_MS) as unknown as number;
  }

  /* Whoever typed the line has had its answer: what becomes of the rest is told. */
  async #goOn(): Promise<void> {
    const steps = this.#hold();
    if (!steps.length) return;
    if (!this.asked) return dropped(steps);
    const refused = await this.#commitSteps(steps);
    if (refused) dropped(steps, refused.phrase);
  }

  /* What was to follow, which now does not. */
  #hold(): string[] {
    const steps = this.#rest;
    clearTimeout(this.#later);
    this.#rest = [];
    return steps;
  }

  #drop(): void {
    const steps = this.#hold();
    if (steps.length) dropped(steps);
  }

  async #fresh(): Promise<void> {
    this.#draft = [];
    this.#undone = [];
    try {
      this.#take(await online.ask('watch', { table: this.id, ...(this.invite ? { invite: this.invite } : {}) }));
    } catch {
      /* shown when the line is back */
    }
  }

  /* What is played takes the place of what was to follow an earlier line; what
   * is refused does not. */
  play(line: string, final = false): Promise<Fault | null> {
    return this.#serial(async () => {
      if (!this.mine || this.complete) return null;
      const steps = this.#hold();
      const refused = await (this.asked ? this.#playOwn(line, final) : this.#speak(line));
      if (steps.length && refused) this.#follow(steps);
      else if (steps.length) dropped(steps);
      return refused;
    });
  }

  /* What is said out of turn belongs to no turn that could be confirmed. */
  async #speak(line: string): Promise<Fault | null> {
    const refused = await this.#commit([line]);
    if (!refused) this.claimer = -1;
    return refused;
  }

  async #playOwn(line: string, final: boolean): Promise<Fault | null> {
    const refused = await this.#try([...this.#draft, line]);
    if (refused) return refused;
    this.#undone = [];
    return this.complete && (final || !settings.askEnd) ? this.#commit(this.#draft) : null;
  }

  confirm(): Promise<void> {
    return this.#serial(async () => {
      if (this.complete && this.#draft.length) await this.#commit(this.#draft);
    });
  }

  undo(): Promise<void> {
    return this.#serial(async () => {
      const last = this.#draft.at(-1);
      if (last === undefined) return;
      const undone = [...this.#undone, last];
      if (!(await this.#try(this.#draft.slice(0, -1)))) this.#undone = undone;
    });
  }

  redo(): Promise<void> {
    return this.#serial(async () => {
      const last = this.#undone.at(-1);
      if (last === undefined) return;
      const left = this.#undone.slice(0, -1);
      if (!(await this.#try([...this.#draft, last]))) this.#undone = left;
    });
  }

  /* ---- questions ---- */

  async explain(texts: string[]): Promise<(Fault | null)[]> {
    return (await online.ask('explain', { table: this.id, line: this.#draft.join('; '), texts })).faults;
  }

  async sceneAt(count: number): Promise<Scene> {
    return (await online.ask('scene', { table: this.id, count, ...(this.invite ? { invite: this.invite } : {}) })).scene;
  }

  /* Nobody is advised in a game against others. */
  async analyse(): Promise<null> {
    return null;
  }

  async estimates(): Promise<null> {
    return null;
  }

  async write(format: number, count: number): Promise<string | null> {
    try {
      const name = this.info.formats[format]?.name;
      return (await online.ask('record', { table: this.id, ...(name ? { format: name } : {}), ...(count >= 0 ? { count } : {}), ...(this.invite ? { invite: this.invite } : {}) })).text;
    } catch {
      return null;
    }
  }

  /* ---- with the others ---- */

  async takeBack(): Promise<void> {
    await online.ask('takeback', { table: this.id });
  }

  async answer(yes: boolean): Promise<void> {
    await online.ask('answer', { table: this.id, yes });
  }

  async resign(): Promise<void> {
    await online.ask('resign', { table: this.id });
  }

  async leave(): Promise<void> {
    await online.ask('leave', { table: this.id });
  }

  /** The server answers by this rule, also while nobody is here. */
  async setStanding(_seat: number, rule: string): Promise<void> {
    await online.ask('standing', { table: this.id, rule });
  }

  /** The id of the next table. */
  async rematch(): Promise<string> {
    return (await online.ask('rematch', { table: this.id })).table;
  }

  async say(text: string): Promise<void> {
    await online.ask('chat', { table: this.id, text, ...(this.invite ? { invite: this.invite } : {}) });
  }

  async note(): Promise<string> {
    return (await online.ask('notes', { table: this.id, ...(this.invite ? { invite: this.invite } : {}) })).text;
  }

  async keepNote(text: string): Promise<void> {
    await online.ask('note', { table: this.id, text, ...(this.invite ? { invite: this.invite } : {}) });
  }

  /** Milliseconds left to each seat, now. */
  left(now: number): number[] {
    const clock = this.view.clock;
    return clock ? clock.left.map((left, seat) => (clock.running >> seat & 1 ? left - (now - this.at) : left)) : [];
  }

  /** In words: what went wrong here. */
  readonly refusal = refusal;

  /* ---- what a table in this browser has, too ---- */

  async lift(): Promise<void> {}
  async rename(): Promise<void> {}
  async drive(): Promise<void> {}
  resume(): void {}

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#drop();
    for (const off of this.#off) off();
    void online.ask('unwatch', {}).catch(() => {});
  }

  static readonly spectator = SPECTATOR;
  static readonly everything = EVERYTHING;
}
