import { defineConfig } from 'vite'

const built = `${import.meta.dirname}/../../dist/esm`

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    // Resolves the package to the build of this repository. An application does not need this.
    alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${built}/$1.js` }],
  },
})
