import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Without an installed Chromium, Playwright uses the browser that it has downloaded.
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const launchOptions = existsSync(chromium)
  ? { executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] }
  : {}

export default defineConfig({
  testDir: 'test',
  reporter: 'line',
  fullyParallel: true,
  expect: { timeout: 10_000 },
  use: { launchOptions },
})
