import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { messages } from './tools/messages.mjs';

export default defineConfig({
  plugins: [
    messages(),
    svelte(),
    VitePWA({
      registerType: 'autoUpdate',
      injectRegister: false,
      includeAssets: ['icon.svg', 'icon-192.png', 'icon-512.png', 'theme.js'],
      workbox: {
        globPatterns: ['**/*.{html,js,css,wasm,woff2,svg,png}', 'puzzles/*.txt'],
        navigateFallback: '/index.html',
        importScripts: ['turn.js'],
        maximumFileSizeToCacheInBytes: 4_000_000,
      },
      manifest: {
        name: 'Terrarium',
        short_name: 'Terrarium',
        description: 'Terra Nova, Terra-X and Terra Mystica on one table',
        start_url: '/',
        display: 'standalone',
        background_color: '#e9e2d3',
        theme_color: '#1c5f63',
        icons: [
          { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
          { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
      },
    }),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false },
    /* What most pages share is one file and not thirty of a few hundred bytes:
     * every answer has its headers, and small files compress badly. */
    rolldownOptions: { output: { codeSplitting: { groups: [
      { name: 'start', tags: ['$initial'], priority: 2 },
      { name: 'table', test: /src\/lib\/(?!online|lessons|puzzles|ui\/Chart)/, minShareCount: 2, includeDependenciesRecursively: false, priority: 1 },
    ] } } },
  },
  server: { port: 5173 },
});
