import { defineConfig } from 'vitest/config'

/** Location of the package for imports by name. */
const source = `${import.meta.dirname}/../../../src`

/** Configuration of the projects that test/vitest/projects.test.ts runs. Some tests fail by design. */
export default defineConfig({
  resolve: { alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` }] },
  test: {
    include: ['**/*.spec.ts'],
    testTimeout: 240_000,
    provide: { sandboxOptions: { baseUrl: 'https://provided.test/v1' } },
  },
})
