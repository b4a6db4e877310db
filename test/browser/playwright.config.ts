import { defineConfig } from '@playwright/test'

// playwright.test.ts sets CHROMIUM_PATH.
const executablePath = process.env.CHROMIUM_PATH ?? ''

export default defineConfig({
  testMatch: '{playwright,failing-playwright}/*.spec.ts',
  reporter: 'line',
  fullyParallel: true,
  use: { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] } },
})
