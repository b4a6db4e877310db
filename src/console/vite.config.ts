import { defineConfig } from 'vite'

/** Builds the console to static files that work below any path and under a strict policy. */
export default defineConfig({
  base: './',
  build: {
    outDir: '../../dist/src/console',
    // File names never change, so that a build replaces each file while a server serves them.
    emptyOutDir: false,
    rolldownOptions: {
      output: { entryFileNames: 'console.js', assetFileNames: 'console[extname]' },
    },
    target: 'es2023',
    // `default-src 'self'` allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
})
