import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'
import { chromiumArguments, findChromium } from './support/chromium.js'
import { workerFolder } from './support/site.js'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** The file of the built package that a browser loads as petstore-sandbox/vitest. */
const packageEntry = join(import.meta.dirname, '../..', manifest.exports['./vitest'].browser)

/** Tests that measure times and memory. */
const measured = ['test/browser/{performance,console-journal-load}.test.ts']

/** Tests in a browser: Debian's Chromium, or the one at CHROMIUM_PATH. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    // Many tests wait for the page, so there is one worker more than processors.
    maxWorkers: availableParallelism() + 1,
    // Only a test that hangs fails by its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'from outside',
          include: ['test/browser/*.test.ts'],
          exclude: measured,
          // Loads the modules of the sandbox once for each worker.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'measured',
          include: measured,
          // After the others, one at a time.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        resolve: { alias: { 'petstore-sandbox/vitest': packageEntry } },
        // msw's worker script is served from its package.
        publicDir: workerFolder,
        test: {
          name: 'in the page',
          include: ['test/browser/in-page/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findChromium(), args: chromiumArguments },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
