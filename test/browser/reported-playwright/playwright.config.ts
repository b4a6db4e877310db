import { defineConfig } from '@playwright/test'

// playwright-reporter.test.ts sets the variables.
const { CHROMIUM_PATH = '', REPORT_OPTIONS = '{}' } = process.env

/** Configuration of the projects whose report playwright-reporter.test.ts checks. */
export default defineConfig({
  fullyParallel: true,
  workers: 2,
  // Playwright does not resolve the name of the package that contains the tests.
  reporter: [['../../../dist/esm/playwright-reporter.js', JSON.parse(REPORT_OPTIONS)]],
  use: {
    launchOptions: { executablePath: CHROMIUM_PATH, args: ['--no-sandbox', '--disable-gpu'] },
  },
  projects: [
    { name: 'broken', testMatch: 'broken.spec.ts', retries: 1 },
    { name: 'kept', testMatch: 'kept.spec.ts' },
  ],
})
