/** How the page is built: into the server's package, with addresses that work under any path prefix. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../src/dicehall/server/page',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0, // the page's rules of safety let nothing be inline
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { fs: { allow: ['..'] } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    isolate: false, // they share nothing that changes
    fsModuleCache: false, // it does not know of new files, which the tests of all texts look for
    css: true, // one test reads the colours of dice
  },
});
