/* The start: styles, glyphs, then the page that the address names. */
import './fonts.css';
import '../art/tokens.css';
import './app.css';
import sprite from '../art/glyphs.svg?raw';
import { mount } from 'svelte';
import App from './App.svelte';
import { getLocale } from './paraglide/runtime';

const glyphs = document.createElement('div');
glyphs.innerHTML = sprite;
const svg = glyphs.firstElementChild as SVGElement;
svg.setAttribute('aria-hidden', 'true');
svg.setAttribute('class', 'vh');
document.body.prepend(svg);
document.documentElement.lang = getLocale();

mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void import('virtual:pwa-register').then(({ registerSW }) => registerSW({ immediate: true }));
