/* Words in the reader's language.  One language is fetched; choosing another
 * fetches that one, and everything on the page is said anew. */
import { files } from '../paraglide/files';

export type Words = readonly (string | readonly [input: string, one: string, other: string])[];
export type Locale = keyof typeof files;
export const locales = Object.keys(files) as Locale[];

const KEY = 'PARAGLIDE_LOCALE';
const known = (locale: string | null | undefined): locale is Locale => locales.includes(locale as Locale);

/** What was chosen here, what the browser asks for, or English. */
export function preferred(): Locale {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    /* storage is closed to us */
  }
  const asked = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []).map((tag) => tag.slice(0, 2).toLowerCase());
  return [chosen, ...asked].find(known) ?? 'en';
}

let locale = $state.raw<Locale>('en');
let words = $state.raw<Words>([]);
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

export const getLocale = (): Locale => locale;

/** Speaks this language from now on. */
export async function speak(next: Locale): Promise<void> {
  const file = await files[next]();
  plurals = new Intl.PluralRules(next);
  single = new Map();
  numbers = new Intl.NumberFormat(next);
  locale = next;
  words = file.words;
  if (typeof document !== 'undefined') document.documentElement.lang = next;
}

/** The same, and remembers it. */
export async function setLocale(next: Locale): Promise<void> {
  await speak(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    /* private mode: the choice lasts until the page is left */
  }
}

type Inputs = Record<string, string | number>;

/* Small numbers look the same in all our languages, and are most of all. */
const plain = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 1000;
const shown = (value: string | number | undefined): string => (typeof value === 'number' && !plain(value) ? numbers.format(value) : String(value));

let single = new Map<number, boolean>();
function isOne(value: number): boolean {
  let known = single.get(value);
  if (known === undefined) single.set(value, (known = plurals.select(value) === 'one'));
  return known;
}

export function say(message: number, inputs?: Inputs): string {
  const found = words[message] ?? '';
  const text = typeof found === 'string' ? found : found[isOne(Number(inputs?.[found[0]])) ? 1 : 2];
  return inputs ? text.replace(/\{(\w+)\}/g, (_, name: string) => shown(inputs[name])) : text;
}

/** Digits as this language writes them: 12.3 or 12,3. */
export const digits = (value: number, decimals = 0): string => value.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
