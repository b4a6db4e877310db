import { defineConfig } from 'vitest/config'
import tests from '../../vitest.config.js'

/** Not a test: `npm run golden -- --record` runs it. */
export default defineConfig({
  ...tests,
  test: { ...tests.test, include: ['test/golden/record/record.ts'] },
})
