/* The line to the server: one WebSocket that comes back by itself.
 *
 * Questions that can be asked twice are asked again after a break; a play
 * carries a key, so it is such a question, too. */
import type { Fault } from '../engine/types';
import { together } from '../waiting.svelte';
import { LOST_MS, pause, QUIET_MS } from './backoff';
import type { Command, Commands } from './protocol';
import type { Me, ServerEvent } from './views';

export interface ServerError extends Partial<Fault> {
  name: string;
  phrase: string;
}

/** What the server refused, and why. */
export class Refused extends Error {
  constructor(readonly error: ServerError) {
    super(error.phrase);
  }
}

/** Not to be asked twice: the first may have been heard. */
const ONCE = new Set<Command>(['create', 'chat', 'rematch', 'feed', 'report', 'password']);

interface Asked {
  command: Command;
  text: string;
  resolve: (value: never) => void;
  reject: (reason: Error) => void;
}

class Connection {
  me = $state.raw<Me | null>(null);
  connected = $state(false);
  /** the server's clock minus ours, milliseconds */
  skew = 0;

  #socket: WebSocket | null = null;
  #asked = new Map<number, Asked>();
  #next = 1;
  #listeners = new Set<(event: ServerEvent) => void>();
  #returned = new Set<() => void>();
  #failed = 0;
  #heard = 0;
  #timer = 0;
  #wanted = false;

  /** Opens the line and keeps it open. */
  open(): void {
    if (!this.#wanted) {
      this.#wanted = true;
      addEventListener('offline', () => this.#lost(this.#socket));
      addEventListener('online', () => this.#again());
      document.addEventListener('visibilitychange', () => this.#again());
      setInterval(() => this.#check(), 4000);
    }
    if (!this.#socket && !this.#timer) this.#connect();
  }

  #connect(): void {
    this.#timer = 0;
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#failed = 0;
      this.#heard = Date.now();
      this.connected = true;
      for (const asked of this.#asked.values()) socket.send(asked.text);
      void this.refresh();
      for (const returned of this.#returned) returned();
    };
    socket.onmessage = (message) => {
      if (this.#socket !== socket) return;
      this.#heard = Date.now();
      this.#hear(JSON.parse(String(message.data)));
    };
    socket.onclose = () => this.#lost(socket);
  }

  /* A dead line does not say that it is dead: nothing more is expected of it. */
  #lost(socket: WebSocket | null): void {
    if (!socket || this.#socket !== socket) return;
    this.#socket = null;
    this.connected = false;
    socket.close();
    for (const [id, asked] of this.#asked)
      if (ONCE.has(asked.command)) {
        this.#asked.delete(id);
        asked.reject(new Refused({ name: 'offline', phrase: 'the connection was lost' }));
      }
    this.#timer = setTimeout(() => this.#connect(), pause(this.#failed++)) as unknown as number;
  }

  /* Somebody looks again, or the network is back: no waiting. */
  #again(): void {
    if (document.hidden) return;
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#connect();
    } else this.#check();
  }

  #check(): void {
    if (!this.connected) return;
    const quiet = Date.now() - this.#heard;
    if (quiet > LOST_MS) this.#lost(this.#socket);
    else if (quiet > QUIET_MS) void this.refresh();
  }

  /** Asks again who I am and how many tables wait. */
  async refresh(): Promise<void> {
    try {
      const me = await this.ask('hello', {});
      this.me = me;
      this.skew = me.now - Date.now();
    } catch {
      /* the next return asks again */
    }
  }

  #hear(message: ServerEvent | { id?: number; ok?: unknown; error?: ServerError }): void {
    if ('event' in message) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const asked = this.#asked.get(message.id ?? 0);
    if (!asked) return;
    this.#asked.delete(message.id!);
    if (message.error) asked.reject(new Refused(message.error));
    else asked.resolve(message.ok as never);
  }

  ask<C extends Command>(command: C, fields: Commands[C]['ask']): Promise<Commands[C]['reply']> {
    this.open();
    const id = this.#next++;
    const text = JSON.stringify({ do: command, id, ...fields });
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { command, text, resolve: resolve as (value: never) => void, reject });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  /** What sets or ends the session goes by HTTP, where cookies are set. */
  async sign<C extends 'guest' | 'register' | 'login' | 'logout' | 'recover' | 'delete'>(command: C, fields: Commands[C]['ask']): Promise<Commands[C]['reply']> {
    const answer = await fetch(`/api/${command}`, { method: 'POST', body: JSON.stringify(fields), credentials: 'same-origin' })
      .catch(() => { throw new Refused({ name: 'offline', phrase: 'the connection was lost' }); });
    const { ok, error } = (await answer.json()) as { ok?: Commands[C]['reply']; error?: ServerError };
    if (!ok) throw new Refused(error ?? { name: 'offline', phrase: 'no answer' });
    if ('codes' in ok) together.codes = ok.codes;
    /* The next line has the new session. */
    await new Promise<void>((resolve) => {
      const off = this.onreturn(() => { off(); resolve(); });
      this.#lost(this.#socket);
      this.open();
    });
    this.me = await this.ask('hello', {});
    return ok;
  }

  listen(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called whenever the line is there (again). */
  onreturn(returned: () => void): () => void {
    this.#returned.add(returned);
    return () => this.#returned.delete(returned);
  }
}

export const online = new Connection();
