/* "Your turn", wherever somebody looks: title and icon of the page, a sound, a
 * notification, and N for the next game that waits. */
import { m } from '../../paraglide/messages';
import { go, router } from '../router.svelte';
import { settings } from '../settings.svelte';
import { toast } from '../toast.svelte';
import { remember, together } from '../waiting.svelte';
import { online } from './connection.svelte';

let begun = false;

const plain = (title: string): string => title.replace(/^\(\d+\) /, '');

function mark(): void {
  const wanted = together.waiting ? `(${together.waiting}) ${plain(document.title)}` : plain(document.title);
  if (document.title !== wanted) document.title = wanted;
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const file = together.waiting ? '/icon-turn.svg' : '/icon.svg';
  if (icon && icon.getAttribute('href') !== file) icon.setAttribute('href', file);
}

/* Two soft notes. */
function sound(): void {
  try {
    const audio = new AudioContext();
    for (const [i, pitch] of [660, 880].entries()) {
      const at = audio.currentTime + i * 0.16;
      const note = audio.createOscillator();
      const loud = audio.createGain();
      note.type = 'sine';
      note.frequency.value = pitch;
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(0.18, at + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
      note.connect(loud).connect(audio.destination);
      note.start(at);
      note.stop(at + 0.55);
    }
    setTimeout(() => void audio.close(), 1200);
  } catch {
    /* no sound here: the title says it, too */
  }
}

async function notify(table: string, title: string): Promise<void> {
  const options = { body: m.your_turn_here(), tag: `turn-${table}`, icon: '/icon-192.png', data: `#/table/${table}` };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => { focus(); go(`#/table/${table}`); shown.close(); };
  } catch {
    /* telephones show notifications only through the service worker */
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    await worker?.showNotification(title, options).catch(() => {});
  }
}

/** It has become my turn there. */
export function yourTurn(table: string, title: string, seen: boolean): void {
  void online.refresh();
  if (settings.sound) sound();
  if (document.hidden && settings.notify && 'Notification' in window && Notification.permission === 'granted') void notify(table, title);
  else if (!seen) toast(m.your_turn_at({ title }));
}

/** Where I sit and am asked, after this one. */
async function next(): Promise<void> {
  const from = router.route.page === 'table' ? (router.route.argument.split('/')[0] ?? '') : '';
  try {
    const found = await online.ask('next', { from });
    if (found.table) go(`#/table/${found.table}`);
    else toast(m.none_waits());
  } catch {
    /* nobody is signed in any more */
  }
}

function onkeydown(e: KeyboardEvent): void {
  if (e.key.toLowerCase() !== 'n' || e.ctrlKey || e.metaKey || e.altKey) return;
  if ((e.target as HTMLElement).closest?.('input, select, textarea, dialog')) return;
  if (together.waiting <= (together.here ? 1 : 0)) return;
  e.preventDefault();
  e.stopPropagation();
  void next();
}

/** Begins to watch; once is enough. */
export function attend(): void {
  online.open();
  if (begun) return;
  begun = true;
  $effect.root(() => {
    $effect(() => {
      const me = online.me;
      if (!me) return;
      together.name = me.user?.name ?? '';
      together.waiting = me.user ? me.waiting : 0;
      together.next = me.user ? next : null;
      remember(!!me.user);
    });
    $effect(() => { void together.waiting; mark(); });
  });
  new MutationObserver(mark).observe(document.head, { subtree: true, childList: true, characterData: true });
  addEventListener('keydown', onkeydown, { capture: true });
  online.listen((event) => {
    if (event.event === 'turn') yourTurn(event.table, event.title, false);
  });
}
