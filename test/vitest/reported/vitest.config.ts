import { defineConfig } from 'vitest/config'
import { bundledData } from '../../support/bundled-data.js'

/** Location of the package for imports by name. */
const source = `${import.meta.dirname}/../../../src`

/** Configuration of the projects whose report test/vitest/reporter.test.ts checks. */
export default defineConfig({
  resolve: {
    alias: [
      ...Object.entries(bundledData).map(([find, replacement]) => ({ find, replacement })),
      { find: /^petstore-sandbox\/(\w+)$/, replacement: `${source}/$1.ts` },
    ],
  },
  test: {
    testTimeout: 240_000,
    reporters: [
      'default',
      [`${source}/vitest-reporter.ts`, JSON.parse(process.env.REPORT_OPTIONS ?? '{}')],
    ],
    projects: [
      { extends: true, test: { name: 'broken', include: ['broken/*.spec.ts'], retry: 1 } },
      { extends: true, test: { name: 'kept', include: ['kept/*.spec.ts'] } },
    ],
  },
})
