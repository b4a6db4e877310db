import { existsSync } from 'node:fs'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

// Without an installed Chromium, vitest uses the browser that Playwright has downloaded.
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const launchOptions = existsSync(chromium)
  ? { executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] }
  : {}

export default defineConfig({
  test: {
    // The first test waits until the service worker has started.
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
