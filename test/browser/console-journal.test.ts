import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { usePages } from './support/pages.js'
import { findNameless, measureOverflow } from './support/readable.js'

const exec = promisify(execFile)

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

/** Opens a world of its own at a view. */
async function openJournal(label: string, view = 'journal') {
  const apiKey = `sbx_enterprise_default_${label}`
  const { page, messages } = await open(`/#key=${apiKey}`)
  await page.evaluate((hash) => location.assign(hash), `#${view}`)
  await page.locator(`.page[data-view="${view}"]`).waitFor()
  await page.locator('.mark.live').waitFor()
  const items = page.locator('.entries > li')
  return { page, apiKey, items, messages }
}

const jsonHeaders = { 'Content-Type': 'application/json' }
const patch = (quantity: number) =>
  ({ method: 'PATCH', headers: jsonHeaders, body: JSON.stringify({ quantity }) }) as const

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

async function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Sends control requests and returns the parsed body. */
async function readControl(path: string, apiKey: string) {
  return (await site.send(`/sandbox${path}`, apiKey)).json()
}

async function listIds(apiKey: string, query = ''): Promise<number[]> {
  const entries: { id: number }[] = await readControl(`/requests?limit=99999${query}`, apiKey)
  return entries.map(({ id }) => id)
}

/** Returns the number of entries that are shown, in groups or alone. */
async function countShown(page: Page): Promise<number> {
  const lines = await page.locator('.entries > li').allTextContents()
  return lines.reduce((sum, line) => sum + Number(/^\d+ × (\d+)/.exec(line)?.[1] ?? 1), 0)
}

/** Returns the ids in the details of the entries that are shown, newest first. */
async function listShown(page: Page): Promise<string[]> {
  return page.locator('.entries .request-line').allTextContents()
}

/** Notes when a page first has an element of each selector, on its clock. Executed in the page. */
function noteFirstTimes(selectors: readonly string[]): void {
  const times: (number | undefined)[] = selectors.map(() => undefined)
  Reflect.set(window, 'firstTimes', times)
  const note = () => {
    for (const [at, selector] of selectors.entries()) {
      if (document.querySelector(selector)) times[at] ??= Date.now()
    }
  }
  new MutationObserver(note).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
  })
}

test('the journal shows requests as they arrive, newest first, beside each view', async () => {
  const { apiKey, items } = await openJournal('live', 'overview')
  await site.send('/v1/inventory', apiKey)
  await site.send('/v1/pets/404', apiKey)
  await expect.poll(() => items.count()).toBe(2)
  expect(await items.first().textContent()).toMatch(/404.*GET \/pets\/404.*pet_not_found/)
})

describe('the connection', () => {
  test('entries are shown before the event stream is open, which the page reports', async () => {
    const apiKey = 'sbx_enterprise_default_before'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.clock.install()
    await page.route('**/sandbox/events', () => {})
    await page.addInitScript(noteFirstTimes, ['.live-note', '.live-note:not(:empty)'])
    await page.goto(`${site.url}/#key=${apiKey}`)
    await page.reload()
    await page.locator('.entries > li').waitFor()
    await page.locator('.mark', { hasText: 'connecting' }).waitFor()
    await page.clock.fastForward(5_000)
    await page
      .getByText(/^Not live yet: the event stream has not opened since \d\d:\d\d:\d\d\./)
      .waitFor()
    // Not at once, however long the machine took until here.
    const [first = 0, reported = 0] = await page.evaluate(() => Reflect.get(window, 'firstTimes'))
    expect(reported - first).toBeGreaterThanOrEqual(5_000)
  })

  test('the journal says since when and why it is not live, keeps its entries, and recovers', async () => {
    const apiKey = 'sbx_enterprise_default_lost'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open(`${site.proxyUrl}#key=${apiKey}`)
    await page.locator('.mark.live').waitFor()
    await page.locator('.entries > li').waitFor()
    site.failProxy({ path: '/sandbox', status: 502 })
    const note = page.locator('.live-note')
    await note.getByText(/^Not live since \d\d:\d\d:\d\d: 502 is not a response/).waitFor()
    expect(await note.textContent()).toMatch(/The page tries again\.$/)
    expect(await page.locator('.entries > li').count()).toBe(1)
    await site.send('/v1/pets/404', apiKey)
    site.failProxy(undefined)
    await expect.poll(() => note.textContent()).toBe('')
    await expect.poll(() => page.locator('.entries > li').count()).toBe(2)
  })

  test('the journal is emptied when another client resets the world', async () => {
    const { page, apiKey, items } = await openJournal('reset')
    await site.send('/v1/inventory', apiKey)
    await items.first().waitFor()
    await site.send('/sandbox/reset', apiKey, { method: 'POST' })
    await page.getByText('This world has not received a request yet.').waitFor()
  })

  test('the journal is emptied when another client clears it', async () => {
    const { page, apiKey, items } = await openJournal('cleared')
    await site.send('/v1/inventory', apiKey)
    await items.first().waitFor()
    await site.send('/sandbox/requests', apiKey, { method: 'DELETE' })
    await page.getByText('This world has not received a request yet.').waitFor()
  })
})

describe('an entry', () => {
  test('shows the request, the response, the explanation and the changes', async () => {
    const { page, apiKey, items } = await openJournal('why')
    await site.send('/v1/inventory/7?colour=red', apiKey, {
      ...patch(5),
      headers: { ...jsonHeaders, 'X-Trace': 'abc' },
    })
    await items.first().click()
    const detail = page.locator('.detail')
    await detail.getByText('PATCH /inventory/7?colour=red', { exact: true }).waitFor()
    await detail.locator('.headers > div', { hasText: /^x-traceabc$/ }).waitFor()
    await detail.getByText('"quantity": 5').first().waitFor()
    await detail.getByText(/^updateInventory responds with 200$/).waitFor()
    await detail.getByText('"type":"quantity.set"').waitFor()
    await detail.getByText('x-ratelimit-remaining', { exact: true }).waitFor()
  })

  test('names the nearest operation, and what the journal does not have', async () => {
    const { page, apiKey, items } = await openJournal('nearest')
    const body = JSON.stringify({ message: 'x'.repeat(9_000) })
    await site.send('/v1/inventroy', apiKey, { method: 'POST', headers: jsonHeaders, body })
    await items.first().click()
    const detail = page.locator('.detail')
    await detail.getByRole('link', { name: 'listInventory' }).waitFor()
    await detail.getByText(/^Truncated, masked or not recorded: .*request body/).waitFor()
    await detail
      .getByText('It cannot be resent. The journal does not have the whole body.')
      .waitFor()
    expect(await detail.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true)
  })

  test('opens with the keyboard', async () => {
    const { page, apiKey } = await openJournal('keyboard')
    await site.send('/v1/inventory', apiKey)
    await page.locator('.entries summary').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.detail').waitFor()
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    expect(await focused.textContent()).toBe('Copy as curl')
  })
})

describe('the filter', () => {
  async function openFiltered(label: string) {
    const opened = await openJournal(label)
    const { apiKey, page, items } = opened
    const world = await site.sandbox.worldFor(apiKey)
    world.clock.freeze('2026-01-31T09:00:00Z')
    await site.send('/v1/inventory', apiKey)
    await site.send('/v1/pets/404', apiKey)
    world.clock.advance('PT10M')
    await site.send('/v1/inventory/7', apiKey, patch(25))
    await site.send('/v1/inventory', apiKey)
    await expect.poll(() => items.count()).toBe(4)
    // The page reads the clock after the entries.
    await page.getByRole('region', { name: 'State of this world' }).getByText('09:10:00').waitFor()
    const expectShown = async (query: string, count: number) => {
      const ids = await listIds(apiKey, query)
      expect(ids).toHaveLength(count)
      await expect.poll(() => countShown(opened.page)).toBe(count)
      await page.getByText(`${count} of 4 requests match; 4 retained of 4 received.`).waitFor()
    }
    return { ...opened, expectShown }
  }

  test('selects by operation, status, text and time, as the API does, and is removed with one click', async () => {
    const { page, items, expectShown } = await openFiltered('filter')
    const remove = async () => {
      await press(page, 'Clear filters')
      await expect.poll(() => items.count()).toBe(4)
      await page.getByText('4 requests retained of 4 received.').waitFor()
    }
    await page.getByLabel('Operation of the requests').selectOption('listInventory')
    await expectShown('&operation=listInventory', 2)
    await remove()
    await page.getByLabel('Status, such as 429 or 4xx').fill('4xx')
    await expectShown('&status=4xx', 1)
    await remove()
    await page.getByLabel('Text').fill('{"QUANTITY":25')
    await expectShown('&text=%7B%22QUANTITY%22:25', 1)
    await remove()
    await page.getByLabel('From (UTC)').fill('2026-01-31T09:00:01')
    await expectShown('&since=2026-01-31T09:00:01Z', 2)
    await remove()
    await page.getByLabel('To (UTC)').fill('2026-01-31T09:00:00')
    await expectShown('&until=2026-01-31T09:00:00Z', 2)
    await page.getByLabel('Text').fill('no such text')
    await page.getByText('No request matches the filter.').waitFor()
    await remove()
    await press(page, 'From 5 minutes ago')
    expect(await page.getByLabel('From (UTC)').inputValue()).toMatch(/^2026-01-31T09:05/)
    await expectShown('&since=2026-01-31T09:05:00Z', 2)
  })

  test('survives a change of the view', async () => {
    const { page, items } = await openFiltered('survives')
    await page.getByLabel('Text').fill('pets/404')
    await expect.poll(() => items.count()).toBe(1)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByText('1 of 4 requests match').waitFor()
    expect(await items.count()).toBe(1)
    // Its field is not shown here.
    await page.getByText('Filtered by text “pets/404”.').waitFor()
    await page.getByRole('link', { name: 'Journal', exact: true }).click()
    expect(await page.getByLabel('Text').inputValue()).toBe('pets/404')
    expect(await items.count()).toBe(1)
    await page.getByLabel('From (UTC)').fill('2026-01-31T09:00:00')
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByText('Filtered by text “pets/404”, from 2026-01-31 09:00:00 UTC.').waitFor()
    await press(page, 'Clear filters')
    await expect.poll(() => items.count()).toBe(4)
    expect(await page.getByText('Filtered by').count()).toBe(0)
  })

  test('says what a status is when no request can have the typed one', async () => {
    const { page, items } = await openFiltered('no-status')
    const status = page.getByLabel('Status, such as 429 or 4xx')
    const hint = page.getByText('A status is a number such as 429, or a class such as 4xx.')
    await status.fill('abc')
    await hint.waitFor()
    await status.fill('5xx')
    await page.getByText('No request matches the filter.', { exact: true }).waitFor()
    expect(await hint.count()).toBe(0)
    await status.fill('4xx')
    await expect.poll(() => items.count()).toBe(1)
  })

  test('does not miss requests while the journal is paused; Clear empties it', async () => {
    const { page, apiKey } = await openFiltered('paused')
    await press(page, 'Pause')
    await page.locator('.mark', { hasText: 'paused' }).waitFor()
    await site.send('/v1/inventory', apiKey)
    await page.getByText('1 newer since the pause').waitFor()
    expect(await countShown(page)).toBe(4)
    await press(page, 'Pause')
    await expect.poll(() => countShown(page)).toBe(5)
    await page.locator('.journal').getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('This world has not received a request yet.').waitFor()
    expect(await listIds(apiKey)).toEqual([])
  })
})

test('every entry that the sandbox retains can be reached, and a page stays while others arrive', async () => {
  const apiKey = 'sbx_enterprise_default_paging'
  for (let sent = 1; sent <= 620; sent++) await site.send(`/v1/pets/${sent}`, apiKey)
  const { page, items } = await openJournal('paging')
  await page.getByText('500 requests retained of 620 received.').waitFor()
  const first = () => page.locator('.entries .request-line').first().textContent()
  expect([await items.count(), await first()]).toEqual([50, 'GET /pets/620'])

  await press(page, 'Older')
  expect([await items.count(), await first()]).toEqual([50, 'GET /pets/570'])
  const shown = await listShown(page)
  for (let sent = 1; sent <= 3; sent++) await site.send(`/v1/pets/${900 + sent}`, apiKey)
  await page.getByText('500 requests retained of 623 received.').waitFor()
  await page.getByText('54–103 of 500').waitFor()
  expect(await listShown(page)).toEqual(shown)
  await press(page, 'Newer')
  expect(await first()).toBe('GET /pets/620')
  await press(page, 'Newest')
  expect(await first()).toBe('GET /pets/903')

  const all = await listShown(page)
  while (await page.getByRole('button', { name: 'Older' }).isEnabled()) {
    await press(page, 'Older')
    all.push(...(await listShown(page)))
  }
  const listed: { request: { path: string } }[] = await readControl('/requests?limit=999', apiKey)
  expect(all).toEqual(listed.map(({ request }) => `GET ${request.path}`))
  expect(all).toHaveLength(500)
})

describe('the timeline', () => {
  async function openTimeline(label: string) {
    const opened = await openJournal(label)
    const world = await site.sandbox.worldFor(opened.apiKey)
    world.clock.freeze('2026-01-31T09:00:00Z')
    const paths = ['/v1/inventory', '/v1/pets/404', '/v1/inventory', '/v1/pets/7']
    for (const path of paths) {
      await site.send(path, opened.apiKey)
      world.clock.advance('PT5S')
    }
    const bars = opened.page.locator('.bars button')
    await expect.poll(() => bars.count()).toBe(4)
    return { ...opened, bars }
  }

  test('shows the requests by time and status, and a bar selects its requests', async () => {
    const { page, items, bars } = await openTimeline('bars')
    expect(await bars.nth(1).getAttribute('aria-label')).toBe(
      '2026-01-31 09:00:05 to 09:00:06: 1 request: 1 with 4xx',
    )
    await bars.nth(1).click()
    await expect.poll(() => items.count()).toBe(1)
    expect(await items.first().textContent()).toContain('/pets/404')
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe('2026-01-31T09:00:05')
    await press(page, 'Clear filters')
    await bars.nth(0).hover()
    await page.mouse.down()
    await bars.nth(2).hover()
    await page.mouse.up()
    await expect.poll(() => countShown(page)).toBe(3)
  })

  test('can be used with the keyboard, and read as a table', async () => {
    const { page, items, bars } = await openTimeline('keys')
    await bars.last().focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => items.count()).toBe(2)
    expect(await items.allTextContents()).toEqual([
      expect.stringContaining('GET /inventory'),
      expect.stringContaining('/pets/404'),
    ])
    expect(await page.locator('.bars button:focus').count()).toBe(1)
    await page.getByText('Timeline as a table').click()
    const rows = page.locator('.timeline tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.allTextContents()).toEqual([
      '2026-01-31 09:00:05 to 09:00:0600100',
      '2026-01-31 09:00:10 to 09:00:1110000',
    ])
  })
})

describe('copies of a request', () => {
  const body = `{"message":"it's \\"quoted\\" $HOME \`id\` \\\\ ünï \u202e"}`

  async function openCopies(label: string) {
    const opened = await openJournal(label)
    await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copy = async (name: string) => {
      await press(opened.page, name)
      await opened.page.getByText(/^Copied a /).waitFor()
      return readClipboard(opened.page)
    }
    const openEntry = async () => {
      await opened.items.first().locator('summary').click()
      await opened.page.locator('.detail').waitFor()
    }
    return { ...opened, copy, openEntry }
  }

  test('a curl command sends the same request', async () => {
    const { apiKey, copy, openEntry } = await openCopies('curl')
    const headers = { ...jsonHeaders, Prefer: 'code=202', 'X-Trace': `it's` }
    await site.send(`/quickstart/messages?a=[1]&b={2}`, apiKey, { method: 'POST', headers, body })
    await openEntry()
    const command = await copy('Copy as curl')
    const { stdout } = await exec('sh', ['-c', `${command} -s`])
    expect(stdout).toContain('HTTP/1.1')
    const [again, first] = await readControl('/requests', apiKey)
    const toSent = ({
      request: { method, path, query, headers: all, body: text },
    }: typeof again) => [
      [method, path, query, text],
      [all['content-type'], all.prefer, all['x-trace']],
    ]
    expect(toSent(again)).toEqual(toSent(first))
    expect(again.request.body).toBe(body)
    expect(again.response.status).toBe(first.response.status)
  })

  test('a call of fetch sends the same request', async () => {
    const { page, apiKey, copy, openEntry } = await openCopies('fetch')
    await site.send('/v1/inventory/7', apiKey, patch(3))
    await openEntry()
    const code = await copy('Copy as fetch')
    await page.evaluate(`(async () => { ${code} })()`)
    const [again, first] = await readControl('/requests', apiKey)
    expect(again.id).toBe(first.id + 1)
    expect(again.request).toMatchObject({
      method: 'PATCH',
      path: '/inventory/7',
      body: first.request.body,
    })
    expect(again.response.status).toBe(200)
  })

  test('a test starts from the state before the request, and passes', async () => {
    const { page, apiKey, items, copy } = await openCopies('test')
    const { runCopiedTest } = await import('./support/copied-test.js')
    await page.getByText('This world has not received a request yet.').waitFor()
    await site.send('/v1/inventory/7', apiKey, patch(3))
    await items.first().waitFor()
    await site.send('/v1/inventory', apiKey)
    await expect.poll(() => items.count()).toBe(2)
    await items.first().locator('summary').click()
    const code = await copy('Copy as test')
    expect(code).toContain(`sandbox.worldFor('${apiKey}', 'production')`)
    await runCopiedTest(code)
    await expect(runCopiedTest(code.replace('quantity: 3', 'quantity: 4'))).rejects.toThrow()
  })

  test('a key of which the journal has only the beginning is a placeholder', async () => {
    const { page, apiKey, items, copy } = await openCopies('other-key')
    await site.send('/v1/inventory', apiKey.replace('enterprise', 'business'))
    await items.first().locator('summary').click()
    const command = await copy('Copy as curl')
    expect(command).toContain('# The journal has only the beginning of the key, sbx_business…')
    expect(command).toContain(`-H 'authorization: Bearer YOUR_API_KEY'`)
    await page.getByText('It is sent with the key of this page instead of sbx_business…').waitFor()
  })

  test('the text is shown if the browser has no clipboard', async () => {
    const apiKey = 'sbx_enterprise_default_no-clipboard'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined }),
    )
    await page.goto(`${site.url}/?again#key=${apiKey}`)
    await page.locator('.entries summary').first().click()
    await press(page, 'Copy as curl')
    const field = page.getByLabel('The browser blocks the clipboard.')
    expect(await field.inputValue()).toMatch(/^curl -i '.*\/v1\/inventory' -H/)
  })
})

test('equal requests in a row are one line, which opens; one that is open stays alone', async () => {
  const { page, apiKey, items } = await openJournal('equal')
  await site.send('/v1/inventory', apiKey)
  for (let count = 0; count < 3; count++) await site.send('/v1/pets/404', apiKey)
  await expect
    .poll(() => items.allTextContents())
    .toEqual([
      expect.stringMatching(/^404 × 3GET \/pets\/404/),
      expect.stringMatching(/^200GET \/inventory/),
    ])
  await items.first().locator('summary').first().click()
  const grouped = items.first().locator('.entries > li')
  await expect.poll(() => grouped.count()).toBe(3)
  await grouped.nth(1).locator('summary').click()
  await grouped.nth(1).locator('.detail').waitFor()
  await items.nth(-1).locator('summary').click()
  await site.send('/v1/pets/404', apiKey)
  await items.first().locator('summary', { hasText: '× 4' }).waitFor()
  expect(await grouped.count()).toBe(4)
  await expect.poll(() => page.locator('.entries details[open]').count()).toBe(3)
})

test('the filter is in the URL: it outlives a reload, and a link can have it', async () => {
  const { page, apiKey, items } = await openJournal('linked')
  await site.send('/v1/inventory', apiKey)
  await site.send('/v1/pets/404', apiKey)
  await page.getByLabel('Status, such as 429 or 4xx').fill('404')
  await expect.poll(() => items.count()).toBe(1)
  expect(new URL(page.url()).hash).toBe('#journal?status=404')
  await page.reload()
  await page.getByText('1 of 2 requests match').waitFor()
  await page.evaluate(() => location.assign('#journal?operation=listInventory'))
  await expect.poll(() => items.first().textContent()).toMatch(/^200GET \/inventory/)
  expect(await page.getByLabel('Status, such as 429 or 4xx').inputValue()).toBe('')
})

test('Resend sends a request again, and names its entry', async () => {
  const { page, apiKey, items } = await openJournal('resend')
  await site.send('/v1/inventory/7', apiKey, patch(3))
  await site.send('/v1/inventory/8', apiKey, patch(9))
  await expect.poll(() => items.count()).toBe(2)
  await items.nth(1).locator('summary').click()
  await press(page, 'Resend')
  await page.locator('.resent', { hasText: /200.*It is request 3 in the journal\./ }).waitFor()
  const [again] = await readControl('/requests', apiKey)
  expect(again).toMatchObject({ id: 3, request: { method: 'PATCH', body: '{"quantity":3}' } })
  await expect.poll(() => items.count()).toBe(3)
  const pets: { petId: number; quantity: number }[] = await readControl('/pets', apiKey)
  expect(pets.find(({ petId }) => petId === 7)?.quantity).toBe(3)
})

test('Export HAR saves the requests that match the filter', async () => {
  const { page, apiKey, items } = await openJournal('har')
  await site.send('/v1/inventory/7?a=1', apiKey, patch(3))
  await site.send('/v1/inventory', apiKey)
  await expect.poll(() => items.count()).toBe(2)
  await page.getByLabel('Status, such as 429 or 4xx').fill('2xx')
  await page.getByLabel('Text').fill('PATCH')
  await expect.poll(() => items.count()).toBe(1)
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export HAR')])
  expect(download.suggestedFilename()).toBe('petstore-sandbox.har')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const { log } = JSON.parse(Buffer.concat(chunks).toString())
  expect(log).toMatchObject({ version: '1.2', entries: [{ request: { method: 'PATCH' } }] })
  expect(log.entries).toHaveLength(1)
  expect(log.entries[0].request.url).toBe(`${site.url}/v1/inventory/7?a=1`)
})

/** Requests whose parts contain markup, control characters and long words. */
async function sendHostile(apiKey: string): Promise<void> {
  const markup = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
  const long = 'x'.repeat(1_500)
  await site.send(
    `/v1/${encodeURIComponent(markup)}${long}?q=${encodeURIComponent(markup)}${long}`,
    apiKey,
    {
      method: 'POST',
      headers: { ...jsonHeaders, 'X-Markup': markup, 'X-Long': long, Prefer: markup },
      body: `${markup}\u202e\u0000${long}`,
    },
  )
  await site.send('/quickstart/messages', apiKey, {
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify({ message: `${markup}\u202e${long}` }),
  })
  await site.send('/v1/inventory/7', apiKey, {
    method: 'PATCH',
    headers: jsonHeaders,
    body: JSON.stringify({ quantity: markup, [markup]: long }),
  })
}

test('an address with a request opens its entry, or says that it is no longer retained', async () => {
  const { page, apiKey, items } = await openJournal('address')
  await site.send('/v1/pets/404', apiKey)
  await site.send('/v1/inventory', apiKey)
  await expect.poll(() => items.count()).toBe(2)
  await page.getByLabel('Text').fill('listInventory')
  await expect.poll(() => items.count()).toBe(1)
  await page.evaluate(() => location.assign('#request-1'))
  const entry = page.getByRole('region', { name: 'Request 1' })
  await entry.getByText('"pet_not_found"').waitFor()
  expect(await entry.getByText('Request 1').count()).toBe(1)
  await page.reload()
  await entry.getByText('"pet_not_found"').waitFor()
  await page.evaluate(() => location.assign('#request-3'))
  await page.getByText('The journal no longer retains request 3.').waitFor()
  await press(page, 'Close request 3')
  expect(await page.evaluate(() => location.hash)).toBe('#journal')
  await expect
    .poll(() => page.locator('.journal').evaluate((it) => it.matches(':focus')))
    .toBe(true)
})

test.each(appearances)(
  'hostile strings are text and do not widen the page; axe finds nothing: %s, %s',
  async (...appearance) => {
    const { page, apiKey, items, messages } = await openJournal(`hostile-${appearance.join('-')}`)
    await setAppearance(page, appearance)
    await sendHostile(apiKey)
    await expect.poll(() => items.count()).toBe(3)
    for (const at of [0, 1, 2]) await items.nth(at).locator('summary').click()
    await expect.poll(() => page.locator('.detail').count()).toBe(3)
    await page.getByText('Timeline as a table').click()
    await page.evaluate(() => location.assign('#request-3'))
    await page.getByRole('region', { name: 'Request 3' }).locator('.detail').waitFor()
    expect(await measureOverflow(page)).toBe(0)
    expect(await page.locator('.journal img, .entries script').count()).toBe(0)
    expect(await page.title()).toBe('Journal · default · petstore-sandbox')
    expect(await findNameless(page)).toEqual([])
    expect(await findWithAxe(page)).toEqual([])
    expect(messages).toEqual([])
  },
)
