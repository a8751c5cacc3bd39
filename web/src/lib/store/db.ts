/* What the browser keeps: matches and own boards, in IndexedDB.
 *
 * A match is stored as the text of its record, so states and packing may
 * change freely.  Nothing is ever deleted but on request; what cannot be read
 * any more stays and can be exported.  Records that hold secrets (hands, the
 * order of a stack) lie apart: only the worker reads and writes them. */

export interface SeatSetup {
  name: string;
  /** 'human' or a bot level */
  player: string;
}

export interface SavedGame {
  id: string;
  version: 1;
  game: string;
  title: string;
  created: number;
  updated: number;
  /** the record of all steps, the draft included; empty if it is sealed */
  text: string;
  /** steps that are confirmed */
  committed: number;
  seats: SeatSetup[];
  /** for lists: no need to replay a match to show it */
  summary: { colours: string[]; points: number[]; board: string; turn: number; actor: number; over: boolean };
  seed: number;
  /** time each seat has used, milliseconds */
  used?: number[];
  /** how each seat wants its offers answered */
  standing?: string[];
  /** a first game that explains itself */
  guided?: boolean;
  /** the table of the server this was forked from, after how many steps, and
   *  whose view it is (-1: a spectator's) */
  origin?: { table: string; seat: number; count: number };
}

export interface SavedBoard {
  /** whose board it is; Terra Nova's if it does not say */
  game?: string;
  name: string;
  title: string;
  text: string;
}

const NAME = 'terrarium';
const VERSION = 2;

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  return (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const db = request.result;
      if (!db.objectStoreNames.contains('games')) db.createObjectStore('games', { keyPath: 'id' });
      if (!db.objectStoreNames.contains('boards')) db.createObjectStore('boards', { keyPath: 'name' });
      if (!db.objectStoreNames.contains('sealed')) db.createObjectStore('sealed');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => {
      opened = null;
      reject(request.error ?? new Error('IndexedDB'));
    };
  }));
}

async function run<T>(store: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode);
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB'));
  });
}

/** Is it a saved game this version understands?  Foreign or newer ones are kept but not opened. */
export function isSavedGame(value: unknown): value is SavedGame {
  const game = value as Partial<SavedGame> | null;
  return (
    typeof game === 'object' && game !== null && game.version === 1 &&
    typeof game.id === 'string' && typeof game.game === 'string' && typeof game.text === 'string' &&
    typeof game.title === 'string' && typeof game.committed === 'number' && typeof game.updated === 'number' &&
    Array.isArray(game.seats) && game.seats.every((seat) => typeof seat?.name === 'string' && typeof seat.player === 'string') &&
    typeof game.summary === 'object' && game.summary !== null && Array.isArray(game.summary.points) &&
    Array.isArray(game.summary.colours)
  );
}

export const listGames = async (): Promise<unknown[]> => run('games', 'readonly', (store) => store.getAll());
export const loadGame = async (id: string): Promise<unknown> => run('games', 'readonly', (store) => store.get(id));
export const saveGame = async (game: SavedGame): Promise<void> => {
  await run('games', 'readwrite', (store) => store.put(game));
};
export const deleteGame = async (id: string): Promise<void> => {
  await run('games', 'readwrite', (store) => store.delete(id));
  await run('sealed', 'readwrite', (store) => store.delete(id));
};

/* For the worker only. */
export const loadSealed = async (id: string): Promise<unknown> => run('sealed', 'readonly', (store) => store.get(id));
export const saveSealed = async (id: string, text: string): Promise<void> => {
  await run('sealed', 'readwrite', (store) => store.put(text, id));
};

export const listBoards = async (): Promise<SavedBoard[]> => run('boards', 'readonly', (store) => store.getAll());
export const saveBoard = async (board: SavedBoard): Promise<void> => {
  await run('boards', 'readwrite', (store) => store.put(board));
};
export const deleteBoard = async (name: string): Promise<void> => {
  await run('boards', 'readwrite', (store) => store.delete(name));
};

export const newId = (): string => crypto.randomUUID?.() ?? Math.random().toString(36).slice(2) + Date.now().toString(36);
