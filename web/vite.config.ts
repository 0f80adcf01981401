/** How the page is built: into the server's package, with addresses that work under any path prefix. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { splitCatalogues } from './splitCatalogues';

export default defineConfig({
  base: './',
  plugins: [svelte(), splitCatalogues(fileURLToPath(new URL('./src/main.ts', import.meta.url)))],
  build: {
    outDir: '../src/dicehall/server/page',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0, // the page's rules of safety let nothing be inline
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { chunkFileNames: ({ facadeModuleId }) => `assets/[name]${/\.json\?(first|rest)$/.exec(facadeModuleId ?? '')?.[1]?.replace(/^/, '.') ?? ''}-[hash].js` } },
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
