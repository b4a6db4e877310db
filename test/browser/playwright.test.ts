import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from './support/chromium.js'
import { openTestPage } from './support/site.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const config = 'test/browser/playwright.config.ts'

let output = ''
beforeAll(async () => {
  const site = await openTestPage()
  output = await runPlaywright(site.url)
  await site.close()
})

test('the tests of test/browser/playwright pass with the entry point playwright', () => {
  expect(output).toContain('22 passed')
  expect(output).toContain('getPet responds with 500; the world')
})

describe('tests that fail with the entry point playwright', () => {
  /** Returns the output of one failed test. */
  const failureOf = (title: string) => {
    const blocks = output.split(/^ {2}\d+\) /m).slice(1)
    return blocks.find((block) => block.split('\n', 1)[0]?.includes(title)) ?? ''
  }

  test('a page that starts a sandbox at other addresses', () => {
    expect(failureOf('a page whose sandbox has other addresses')).toContain(
      'Error: the page starts a sandbox at https://api.my-shop.test/v1, to which the sandbox of the test does not respond',
    )
  })

  test('a page whose own service worker responds in place of the sandbox', () => {
    expect(failureOf('a page with another service worker')).toContain(
      'a service worker of the page responded to GET https://api.petstore.example/v1/inventory in place of the sandbox of the test',
    )
  })

  test('a fault that no request triggered, with strictFaults', () => {
    expect(failureOf('an unused fault')).toContain(
      'every operation responds with 500; the world received no requests',
    )
  })

  test('a client that the next rejection bans', () => {
    expect(failureOf('a client before a ban')).toContain(
      'the account "free" has 9 of 10 rejections; the next one bans the key for 300 s',
    )
  })

  test('a request to a wrong host, with onUnhandledRequest: error', () => {
    expect(failureOf('a wrong host')).toContain(
      'Error: GET https://api.petstore.test/v1/inventory is to no address of the sandbox; did you mean https://api.petstore.example/v1/inventory?',
    )
    expect(output).toContain('5 failed')
  })
})

/** Runs Playwright's test runner, as a user would. Returns its output. */
function runPlaywright(url: string): Promise<string> {
  const args = [`${root}node_modules/@playwright/test/cli.js`, 'test', '--config', config]
  const env = { ...process.env, CHROMIUM_PATH: findChromium(), PAGE_URL: url }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
