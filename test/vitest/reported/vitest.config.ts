import { defineConfig } from 'vitest/config'

/** Location of the package for imports by name. */
const source = `${import.meta.dirname}/../../../src`

/** Configuration of the projects whose report test/vitest/reporter.test.ts checks. */
export default defineConfig({
  resolve: { alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` }] },
  test: {
    projects: [
      { extends: true, test: { name: 'broken', include: ['broken/*.spec.ts'], retry: 1 } },
      { extends: true, test: { name: 'kept', include: ['kept/*.spec.ts'] } },
    ],
  },
})
