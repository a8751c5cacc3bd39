import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { messages } from './tools/messages.mjs';
export default defineConfig({ plugins: [messages(), svelte()], test: { include: ['tests/unit/**/*.test.ts'], setupFiles: ['tests/unit/english.ts'], testTimeout: 30_000 } });
