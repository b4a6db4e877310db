import { beforeAll, describe, expect, test } from 'vitest'
import { runTests } from '../support/test-runners.js'
import { findChromium } from './support/chromium.js'
import { openTestPage } from './support/site.js'

let output = ''
beforeAll(async () => {
  const site = await openTestPage()
  const args = ['test', '--config', 'test/browser/playwright.config.ts']
  const variables = { CHROMIUM_PATH: findChromium(), PAGE_URL: site.url }
  output = (await runTests('Playwright', args, variables)).output
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
