import { defineConfig } from 'vite'
import { reduceOperationTables } from '../../build/operation-tables.js'

/** Builds the console to static files that support any base path and a strict CSP. */
export default defineConfig({
  base: './',
  plugins: [await reduceOperationTables()],
  // Less code than the automatic runtime, which needs a module of its own.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: `import { Fragment, h } from 'preact'`,
  },
  build: {
    outDir: '../../dist/console',
    // File names never change, so that a build can replace the files of a running server.
    emptyOutDir: false,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['findOriginal'] },
      output: {
        entryFileNames: 'console.js',
        chunkFileNames: 'console-[name].js',
        assetFileNames: 'console[extname]',
      },
    },
    target: 'es2023',
    // `default-src 'self'` allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
})
