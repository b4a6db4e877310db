import type { Page } from '@playwright/test'
import { expect, test } from 'petstore-sandbox/playwright'
import { apiUrl } from '../support/page-requests.js'

const headers = { Authorization: 'Bearer sbx_free' }

const url = `${apiUrl}/inventory/1`
const patch = {
  method: 'PATCH',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: '{"quantity":77}',
}
/** Longer than a test. */
const delay = { type: 'delay', delayMs: 60_000 } as const
const aborted = { operation: 'updateInventory', status: 0 } as const
const patience = { timeoutMs: 10_000 }

test.beforeEach(async ({ page }) => {
  await page.route('https://page.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>page</title>' }),
  )
  await page.goto('https://page.test/')
})

test.describe('a request that its client aborts during a delay is in the journal and changes nothing', () => {
  test.beforeEach(({ sandbox }) => {
    sandbox.world.faults.set([delay])
  })

  test.afterEach(({ sandbox }) => {
    const { requests, db } = sandbox.world
    for (const entry of requests.find()) expect(entry).toMatchObject({ status: 0, aborted: true })
    expect(requests.pending()).toEqual([])
    expect(db.pets.find('1')?.quantity).toBe(4)
  })

  const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'aborts it': (page) => page.evaluate(() => dispatchEvent(new Event('abort-request'))),
    'opens another address': (page) => page.goto('https://page.test/next'),
    closes: (page) => page.close(),
  }
  for (const [way, leave] of Object.entries(ways)) {
    test(`fetch in a page that ${way}`, async ({ page, sandbox }) => {
      await startPatch(page)
      await expect.poll(() => sandbox.world.requests.pending()).toHaveLength(1)
      await leave(page)
      await sandbox.world.requests.waitFor(aborted, patience)
    })
  }

  test('page.request and request with a timeout', async ({ page, request, sandbox }) => {
    const { body: data, ...options } = patch
    // Playwright cannot abort such a request earlier, and it must have arrived before.
    const init = { ...options, data, timeout: 1_500 }
    const sent = [page.request.fetch(url, init), request.fetch(url, init)]
    await Promise.all(sent.map((each) => expect(each).rejects.toThrow('Timeout 1500ms exceeded')))
    await sandbox.world.requests.waitFor(aborted, { ...patience, atLeast: 2 })
  })
})

test.describe('requests.waitFor resolves when the page has read the response', () => {
  test('fetch in a page', async ({ page, sandbox }) => {
    for (let round = 1; round <= 10; round += 1) {
      const waited = sandbox.world.requests.waitFor('updateInventory', { atLeast: round })
      await startPatch(page)
      await waited
      expect(await countResponses(page)).toBe(round)
    }
  })

  test('fetch in a page, for a request that is in the journal already', async ({
    page,
    sandbox,
  }) => {
    const { requests } = sandbox.world
    for (let round = 1; round <= 10; round += 1) {
      const recorded = new Promise<void>((resolve) => {
        const stop = sandbox.subscribe(() => {
          stop()
          resolve()
        })
      })
      await startPatch(page)
      await recorded
      await requests.waitFor('updateInventory', { atLeast: round })
      expect(await countResponses(page)).toBe(round)
    }
  })

  test('fetch in a page that does not read the body', async ({ page, sandbox }) => {
    await page.evaluate(
      ([address, init]) => {
        void fetch(address, init)
      },
      [url, patch] as const,
    )
    await sandbox.world.requests.waitFor('updateInventory')
  })
})

/** Starts a request from a page, which counts the responses that it has read. */
function startPatch(page: Page): Promise<void> {
  return page.evaluate(
    ([address, init]) => {
      const controller = new AbortController()
      addEventListener('abort-request', () => controller.abort())
      void fetch(address, { ...init, signal: controller.signal })
        .then((response) => response.json())
        .then(() => performance.mark('response'))
    },
    [url, patch] as const,
  )
}

function countResponses(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('response').length)
}
