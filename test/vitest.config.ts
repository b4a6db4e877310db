import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { bundledData } from './support/bundled-data.js'

const root = dirname(import.meta.dirname)

/** Projects with packages of their own, which `npm run test:recipes` installs and tests. */
const recipes =
  'examples/{express,jest,next,playwright,react,storybook,vitest-browser,vue,webpack}/**'

/** Packing and installing takes a minute: `vitest run` does it, a run that watches does not. */
const slow = process.argv.includes('run') ? [] : ['test/package/**']

const excluded = [
  ...configDefaults.exclude,
  'test/{browser,abuse,deploy,generators,install,redis,kill,recipes,site}/**',
  recipes,
  // Requires a release, which `npm run test:baseline` installs.
  'test/baseline/release.test.ts',
  ...slow,
]

/** Folders of tests that start no servers and no programs, and do not use msw. */
const shared = 'console|engine|report|service|world'

/** Tests in these folders that replace modules, which needs a worker for each file. */
export const replacing = [
  'test/service/timers.test.ts',
  'test/world/scenario/{lazy-generator,limits}.test.ts',
]

export default defineConfig({
  root,
  resolve: {
    alias: [
      ...Object.entries(bundledData).map(([find, replacement]) => ({ find, replacement })),
      // The examples import the package by its name, as a user does.
      { find: /^petstore-sandbox$/, replacement: `${root}/src/index.ts` },
      { find: /^petstore-sandbox\/(\w+)$/, replacement: `${root}/src/$1.ts` },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared modules',
          include: [`test/@(${shared})/**/*.test.ts`],
          exclude: [...excluded, ...replacing],
          // Loading the modules again for each file takes as long as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'own modules',
          include: [`test/!(${shared})/**/*.test.ts`, 'examples/**/*.test.ts', ...replacing],
          exclude: excluded,
        },
      },
    ],
    // `npm run test:long` checks more.
    provide: { propertyRuns: process.argv.includes('full') ? 2_000 : 400 },
    // Many tests wait for programs that they start, so there is one worker more than processors.
    maxWorkers: availableParallelism() + 1,
    // Only a test that hangs fails by its time: on a busy machine, a build can take minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    /** Number of histories of worlds that each property is checked with. */
    propertyRuns: number
  }
}
