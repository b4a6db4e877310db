import { defineConfig } from '@playwright/test'

// Without CHROMIUM_PATH, Playwright uses the browser that it installed.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testDir: '../..',
  testMatch: [
    'examples/playwright/*.spec.ts',
    'test/browser/{playwright,failing-playwright}/*.spec.ts',
  ],
  reporter: 'line',
  fullyParallel: true,
  use: {
    launchOptions: {
      ...(executablePath && { executablePath, args: ['--no-sandbox', '--disable-gpu'] }),
    },
  },
})
