import { defineConfig } from 'vite'

const source = `${import.meta.dirname}/../../src`

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    // In this repository the package is its own source; an application leaves this out.
    alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` }],
  },
})
