import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // The examples import the package by its name, as a user does.
    alias: [
      { find: /^petstore-sandbox$/, replacement: `${import.meta.dirname}/src/index.ts` },
      { find: /^petstore-sandbox\/(\w+)$/, replacement: `${import.meta.dirname}/src/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/browser/**'],
    testTimeout: 10_000,
    hookTimeout: 20_000,
  },
})
