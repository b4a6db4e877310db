import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import chromiumArguments from './chromium-arguments.json' with { type: 'json' }

export { chromiumArguments }

/** The browser of these tests. */
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** @throws {Error} If there is no Chromium. The message says how to install it. */
export function findChromium(): string {
  if (existsSync(chromiumPath)) return chromiumPath
  throw new Error(
    `the browser tests need Chromium, found none at ${chromiumPath}; install it ("apt-get install chromium" on Debian) or set CHROMIUM_PATH`,
  )
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
}
