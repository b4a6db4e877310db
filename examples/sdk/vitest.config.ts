import { defineConfig } from 'vitest/config'

// mutants.js also measures the suite `handwritten`.
const suite = process.env.SUITE ?? 'test'

export default defineConfig({
  test: { include: [`${suite}/**/*.test.ts`, 'test/parts.test.ts'] },
})
