/* One line at the foot of the page, and what screen readers are told. */

interface Toast {
  text: string;
  kind: 'info' | 'bad';
  /** where more can be read */
  link: string;
}

export const notices = $state<{ toast: Toast | null; polite: string; assertive: string }>({
  toast: null,
  polite: '',
  assertive: '',
});

let timer = 0;

export function toast(text: string, kind: Toast['kind'] = 'info', link = ''): void {
  clearTimeout(timer);
  notices.toast = { text, kind, link };
  announce(text, kind === 'bad');
  timer = setTimeout(() => (notices.toast = null), link ? 9000 : 5000) as unknown as number;
}

/* The same words twice in a row must be read twice: a no-break space makes
 * them differ. */
export function announce(text: string, urgent = false): void {
  if (urgent) notices.assertive = notices.assertive === text ? `${text}\u00a0` : text;
  else notices.polite = notices.polite === text ? `${text}\u00a0` : text;
}

/** Nothing that was said is left, in sight or not. */
export function hush(): void {
  clearTimeout(timer);
  Object.assign(notices, { toast: null, polite: '', assertive: '' });
}
