export default {
  mutate: [
    'src/engine/**/*.ts',
    'src/world/quota/*.ts',
    'src/world/database/*.ts',
    'src/service/operations/*.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  // Stryker would read tsconfig.json with the JavaScript API that TypeScript 7 lacks.
  tsconfigFile: 'none',
  // Mutants of what a module does when it is loaded, such as a contract, would each run every test.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 98, low: 95, break: 95 },
  tempDirName: 'dist/mutants',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: {
    allowColor: false,
    allowEmojis: false,
    reportMutants: false,
    reportTests: false,
  },
  jsonReporter: { fileName: 'dist/mutants.json' },
}
