import { defineConfig } from 'vite'

/** Builds the console: a few static files, which any host can serve under a strict policy. */
export default defineConfig({
  base: './',
  build: {
    outDir: '../../dist/src/console',
    // The names never change, so a build replaces the one before without a moment of nothing.
    emptyOutDir: false,
    rolldownOptions: {
      output: { entryFileNames: 'console.js', assetFileNames: 'console[extname]' },
    },
    target: 'es2023',
    // Nothing is written into the page itself: `default-src 'self'` allows neither data: nor inline.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
})
