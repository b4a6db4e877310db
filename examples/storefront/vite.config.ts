import { defineConfig } from 'vite'

const source = `${import.meta.dirname}/../../src`

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    // Resolves the package to the source of this repository. An application does not need this.
    alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` }],
  },
})
