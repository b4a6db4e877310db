import base from './test/mutants/stryker.config.js'
export default {
  ...base, concurrency: 1, timeoutMS: 20_000, reporters: ['json', 'progress-append-only'],
  vitest: { configFile: 'fm.vitest.config.ts', related: false },
  incremental: true, incrementalFile: process.env.FM_INC,
  thresholds: { high: 98, low: 95, break: 0 },
}
