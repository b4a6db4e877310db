import { defineConfig } from 'vitest/config'

/** Where the package is, as a user's project would find it by its name. */
const source = `${import.meta.dirname}/../../../src`

/** The projects of this folder are run by test/vitest/projects.test.ts, some of them to fail. */
export default defineConfig({
  resolve: { alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` }] },
  test: {
    include: ['**/*.spec.ts'],
    provide: { sandboxOptions: { baseUrl: 'https://provided.test/v1' } },
  },
})
