/* The start: styles, glyphs, then the page that the address names. */
import './fonts.css';
import '../art/tokens.css';
import './app.css';
import sprite from '../art/glyphs.svg?raw';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadView } from './games';
import { painted } from './lib/painted';
import { preferred, speak } from './lib/say.svelte';

const glyphs = document.createElement('div');
glyphs.innerHTML = sprite;
const svg = glyphs.firstElementChild as SVGElement;
svg.setAttribute('aria-hidden', 'true');
svg.setAttribute('class', 'vh');
document.body.prepend(svg);
await speak(preferred());

mount(App, { target: document.getElementById('app')! });

/* What most people open next is fetched while they read, and then all that is
 * needed offline: neither may keep the first page waiting. */
const keepForOffline = () => void import('virtual:pwa-register').then(({ registerSW }) => registerSW({ immediate: true }));
painted(() => {
  if (!location.hash) void Promise.all([import('./pages/NewGame.svelte'), loadView('nova')]);
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') keepForOffline();
  else addEventListener('load', keepForOffline);
});
