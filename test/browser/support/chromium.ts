import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The browser of these tests. */
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

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
