/* A person's choices, kept in this browser. */
import { setLocale, type Locale } from '../paraglide/runtime';

interface Settings {
  theme: 'system' | 'light' | 'dark';
  contrast: 'system' | 'more' | 'less';
  coordinates: boolean;
  /** a finished turn waits for its confirmation */
  askEnd: boolean;
  /** every single action waits for its button, with the mouse too */
  askAction: boolean;
  name: string;
  /** a sound when it is my turn */
  sound: boolean;
  /** a notification when it is my turn and the page is out of sight */
  notify: boolean;
}

const KEY = 'terrarium.settings';
const presets: Settings = { theme: 'system', contrast: 'system', coordinates: false, askEnd: true, askAction: false, name: '', sound: false, notify: false };

function load(): Settings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return { ...presets };
    const known = Object.entries(kept).filter(([key, value]) => typeof value === typeof presets[key as keyof Settings]);
    return { ...presets, ...Object.fromEntries(known) } as Settings;
  } catch {
    return { ...presets };
  }
}

export const settings = $state<Settings>(load());

export function saveSettings(): void {
  if (settings.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  const more = settings.contrast === 'more' || (settings.contrast === 'system' && matchMedia('(prefers-contrast: more)').matches);
  if (more) document.documentElement.dataset.contrast = 'more';
  else delete document.documentElement.dataset.contrast;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    /* private mode: the choice lasts until the page is left */
  }
}

export const isDark = (): boolean =>
  settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);

export function toggleTheme(): void {
  settings.theme = isDark() ? 'light' : 'dark';
  saveSettings();
}

export const changeLocale = (locale: Locale): void => void setLocale(locale);
