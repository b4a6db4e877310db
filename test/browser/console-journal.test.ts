import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../src/console/control-types.js'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { press, see, show } from './support/console-view.js'
import { runCopiedTest } from './support/copied-test.js'
import { usePages } from './support/pages.js'
import { findNameless, measureOverflow } from './support/readable.js'

const exec = promisify(execFile)

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

const statusField = 'Status, such as 429 or 4xx'
const isEmpty = 'This world has not received a request yet.'
const jsonHeaders = { 'Content-Type': 'application/json' }
const patch = (quantity: number) =>
  ({ method: 'PATCH', headers: jsonHeaders, body: JSON.stringify({ quantity }) }) as const

/** Opens a world of its own at a view. */
async function openJournal(label: string, view = 'journal') {
  const apiKey = `sbx_enterprise_default_${label}`
  const { page, messages } = await open(`/#key=${apiKey}`)
  await show(page, view)
  await page.locator('.mark.live').waitFor()
  return { page, apiKey, messages, items: page.locator('.entries > li') }
}

/** Sends a control request and returns the parsed body. */
async function readControl(path: string, apiKey: string) {
  return (await site.send(`/sandbox${path}`, apiKey)).json()
}

/** Waits until the journal shows as many entries, in groups or alone. */
async function expectShown(page: Page, count: number) {
  const countLine = (line: string) => Number(/^\d+ × (\d+)/.exec(line)?.[1] ?? 1)
  const countAll = async () =>
    (await page.locator('.entries > li').allTextContents())
      .map(countLine)
      .reduce((a, b) => a + b, 0)
  await expect.poll(countAll).toBe(count)
}

test('requests are shown as they arrive, newest first, beside each view; equal ones are one line', async () => {
  const { page, apiKey, items } = await openJournal('live', 'overview')
  await site.send('/v1/inventory', apiKey)
  for (let count = 0; count < 3; count++) await site.send('/v1/pets/404', apiKey)
  const lines = [
    expect.stringMatching(/^404 × 3GET \/pets\/404.*pet_not_found/),
    expect.stringMatching(/^200GET \/inventory/),
  ]
  await expect.poll(() => items.allTextContents()).toEqual(lines)
  await items.first().locator('summary').first().click()
  const grouped = items.first().locator('.entries > li')
  await grouped.nth(1).locator('summary').click()
  await grouped.nth(1).locator('.detail').waitFor()
  await items.nth(-1).locator('summary').click()
  await site.send('/v1/pets/404', apiKey)
  await items.first().locator('summary', { hasText: '× 4' }).waitFor()
  expect(await page.locator('.entries details[open]').count()).toBe(3)
})

describe('the connection', () => {
  test('entries are shown before the event stream is open, which the page reports after 5 s', async () => {
    const apiKey = 'sbx_enterprise_default_before'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.clock.install()
    await page.route('**/sandbox/events', () => {})
    await page.goto(`${site.url}/?again#key=${apiKey}`)
    await page.locator('.entries > li').waitFor()
    await page.locator('.mark', { hasText: 'connecting' }).waitFor()
    await page.clock.fastForward(5_000)
    await see(page, /^Not live yet: the event stream has not opened since \d\d:\d\d:\d\d\./)
  })

  test('the journal says since when and why it is not live, keeps its entries, and recovers', async () => {
    const apiKey = 'sbx_enterprise_default_lost'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open(`${site.proxyUrl}#key=${apiKey}`)
    await page.locator('.mark.live').waitFor()
    await expectShown(page, 1)
    site.failProxy({ path: '/sandbox', status: 502 })
    await see(
      page,
      /^Not live since \d\d:\d\d:\d\d: 502 is not a response.*The page tries again\.$/,
    )
    await expectShown(page, 1)
    await site.send('/v1/pets/404', apiKey)
    site.failProxy(undefined)
    await expect.poll(() => page.locator('.live-note').textContent()).toBe('')
    await expectShown(page, 2)
  })

  test.each([
    ['resets the world', '/sandbox/reset', 'POST'],
    ['clears it', '/sandbox/requests', 'DELETE'],
  ])('the journal is emptied when another client %s', async (_, path, method) => {
    const { page, apiKey } = await openJournal(method.toLowerCase())
    await site.send('/v1/inventory', apiKey)
    await expectShown(page, 1)
    await site.send(path, apiKey, { method })
    await see(page, isEmpty)
  })
})

describe('an entry', () => {
  test('opens with the keyboard, and shows request, response, explanation and changes', async () => {
    const { page, apiKey, items } = await openJournal('why')
    const headers = { ...jsonHeaders, 'X-Trace': 'abc' }
    await site.send('/v1/inventory/7?colour=red', apiKey, { ...patch(5), headers })
    await items.first().locator('summary').focus()
    await page.keyboard.press('Enter')
    const detail = page.locator('.detail')
    await detail.getByText('PATCH /inventory/7?colour=red', { exact: true }).waitFor()
    await detail.locator('.headers > div', { hasText: /^x-trace: abc$/ }).waitFor()
    await detail.getByText('"quantity": 5').first().waitFor()
    await detail.getByText(/^updateInventory responds with 200$/).waitFor()
    await detail.getByText('"type":"quantity.set"').waitFor()
    await detail.getByText('x-ratelimit-remaining:', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Copy as curl')
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
      .getByText('The journal does not have all of: request body. It cannot be resent.')
      .waitFor()
    expect(await detail.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true)
  })

  test('is opened by its address, which says if it is no longer retained', async () => {
    const { page, apiKey } = await openJournal('address')
    await site.send('/v1/pets/404', apiKey)
    await site.send('/v1/inventory', apiKey)
    await expectShown(page, 2)
    await page.getByLabel('Text').fill('listInventory')
    await expectShown(page, 1)
    await page.evaluate(() => location.assign('#request-1'))
    const entry = page.getByRole('region', { name: 'Request 1' })
    await entry.getByText('"pet_not_found"').waitFor()
    await page.reload()
    await entry.getByText('"pet_not_found"').waitFor()
    await page.evaluate(() => location.assign('#request-3'))
    await see(page, 'The journal no longer retains request 3')
    await press(page, 'Close request 3')
    expect(await page.evaluate(() => location.hash)).toBe('#journal')
    await page.locator('.journal:focus').waitFor()
  })

  test('is sent again, and names its new entry', async () => {
    const { page, apiKey, items } = await openJournal('resend')
    await site.send('/v1/inventory/7', apiKey, patch(3))
    await site.send('/v1/inventory/8', apiKey, patch(9))
    await expectShown(page, 2)
    await items.nth(1).locator('summary').click()
    await press(page, 'Resend')
    await page.locator('.resent', { hasText: /200.*It is request 3 in the journal\./ }).waitFor()
    expect(await page.locator(':focus').textContent()).toBe('Resend')
    const [again] = await readControl('/requests', apiKey)
    expect(again).toMatchObject({ id: 3, request: { method: 'PATCH', body: '{"quantity":3}' } })
    await expectShown(page, 3)
  })
})

describe('the filter', () => {
  async function openFiltered(label: string) {
    const opened = await openJournal(label)
    const { apiKey, page } = opened
    const world = await site.sandbox.worldFor(apiKey)
    world.clock.freeze('2026-01-31T09:00:00Z')
    await site.send('/v1/inventory', apiKey)
    await site.send('/v1/pets/404', apiKey)
    world.clock.advance('PT10M')
    await site.send('/v1/inventory/7', apiKey, patch(25))
    await site.send('/v1/inventory', apiKey)
    await expectShown(page, 4)
    // The page reads the clock after the entries.
    await page.getByRole('region', { name: 'State of this world' }).getByText('09:10:00').waitFor()
    return opened
  }

  test('selects by operation, status, text and time, as the API does, and is removed with one click', async () => {
    const { page, apiKey } = await openFiltered('filter')
    const expectLike = async (query: string, count: number) => {
      expect(await readControl(`/requests?${query}`, apiKey)).toHaveLength(count)
      await see(page, `${count} of 4 requests match; 4 retained of 4 received.`)
      await expectShown(page, count)
      await press(page, 'Clear filters')
      await see(page, '4 requests retained of 4 received.')
    }
    await page.getByLabel('Operation of the requests').selectOption('listInventory')
    await expectLike('operation=listInventory', 2)
    await page.getByLabel(statusField).fill('4xx')
    await expectLike('status=4xx', 1)
    await page.getByLabel('Text').fill('{"QUANTITY":25')
    await expectLike('text=%7B%22QUANTITY%22:25', 1)
    await page.getByLabel('From (UTC)').fill('2026-01-31T09:00:01')
    await expectLike('since=2026-01-31T09:00:01Z', 2)
    await page.getByLabel('To (UTC)').fill('2026-01-31T09:00:00')
    await expectLike('until=2026-01-31T09:00:00Z', 2)
    await press(page, 'From 5 minutes ago')
    expect(await page.getByLabel('From (UTC)').inputValue()).toMatch(/^2026-01-31T09:05/)
    await expectLike('since=2026-01-31T09:05:00Z', 2)
  })

  test('is in the URL, outlives a reload, and applies beside the other views', async () => {
    const { page, items } = await openFiltered('linked')
    await page.getByLabel('Text').fill('pets/404')
    await expectShown(page, 1)
    expect(new URL(page.url()).hash).toBe('#journal?text=pets%2F404')
    await page.reload()
    await see(page, '1 of 4 requests match')
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await see(page, '1 of 4 requests match')
    await expectShown(page, 1)
    await page.getByRole('link', { name: 'Journal', exact: true }).click()
    expect(await page.getByLabel('Text').inputValue()).toBe('pets/404')
    await page.evaluate(() => location.assign('#journal?operation=listInventory'))
    await expect.poll(() => items.first().textContent()).toMatch(/^200 × 2GET \/inventory/)
    expect(await page.getByLabel('Text').inputValue()).toBe('')
  })

  test('does not miss requests while the journal is paused; Clear empties it', async () => {
    const { page, apiKey } = await openFiltered('paused')
    await press(page, 'Pause')
    await page.locator('.mark', { hasText: 'paused' }).waitFor()
    await site.send('/v1/inventory', apiKey)
    await see(page, '1 newer since the pause')
    await expectShown(page, 4)
    await press(page, 'Pause')
    await expectShown(page, 5)
    await page.locator('.journal').getByRole('button', { name: 'Clear', exact: true }).click()
    await see(page, isEmpty)
    expect(await readControl('/requests', apiKey)).toEqual([])
  })

  test('selects what is saved as HAR', async () => {
    const { page } = await openFiltered('har')
    await page.getByLabel('Text').fill('PATCH')
    await expectShown(page, 1)
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export HAR')])
    expect(download.suggestedFilename()).toBe('petstore-sandbox.har')
    const { log } = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(log.entries).toHaveLength(1)
    expect(log.entries[0].request).toMatchObject({
      method: 'PATCH',
      url: `${site.url}/v1/inventory/7`,
    })
  })
})

test('every entry that the sandbox retains can be reached, and a page stays while others arrive', async () => {
  const apiKey = 'sbx_enterprise_default_paging'
  for (let sent = 1; sent <= 620; sent++) await site.send(`/v1/pets/${sent}`, apiKey)
  const { page } = await openJournal('paging')
  await see(page, '500 requests retained of 620 received.')
  const listShown = () => page.locator('.entries .request-line').allTextContents()
  expect((await listShown())[0]).toBe('GET /pets/620')
  await press(page, 'Journal: next page')
  const shown = await listShown()
  expect([shown.length, shown[0]]).toEqual([25, 'GET /pets/595'])
  for (let sent = 1; sent <= 3; sent++) await site.send(`/v1/pets/${900 + sent}`, apiKey)
  await see(page, '29–53 of 500')
  expect(await listShown()).toEqual(shown)
  await press(page, 'Journal: first page')
  const all = await listShown()
  const next = page.getByRole('button', { name: 'Journal: next page' })
  while ((await next.getAttribute('aria-disabled')) === 'false') {
    await next.click()
    all.push(...(await listShown()))
  }
  const listed: { request: { path: string } }[] = await readControl('/requests?limit=999', apiKey)
  expect(all).toEqual(listed.map(({ request }) => `GET ${request.path}`))
  expect(all).toHaveLength(500)
})

test('the timeline counts requests, and narrows the filter with the pointer and with the keyboard', async () => {
  const { page, apiKey, items } = await openJournal('bars')
  const world = await site.sandbox.worldFor(apiKey)
  world.clock.freeze('2026-01-31T09:00:00Z')
  for (const path of ['/v1/inventory', '/v1/pets/404', '/v1/inventory', '/v1/pets/7']) {
    await site.send(path, apiKey)
    world.clock.advance('PT5S')
  }
  const bars = page.getByRole('option', { name: /succeeded|4xx/ })
  await expect.poll(() => bars.count()).toBe(4)
  await page.getByRole('option', { name: '09:00:05 to 09:00:06: 1 4xx except 429' }).click()
  await expect.poll(() => items.allTextContents()).toEqual([expect.stringContaining('/pets/404')])
  expect(await page.getByLabel('From (UTC)').inputValue()).toBe('2026-01-31T09:00:05')
  await press(page, 'Clear filters')
  await bars.nth(0).hover()
  await page.mouse.down()
  await bars.nth(2).hover()
  await page.mouse.up()
  await expectShown(page, 3)
  await press(page, 'Clear filters')

  const list = page.getByRole('listbox', { name: 'Responses over time' })
  await list.focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expectShown(page, 2)
  expect(await list.evaluate((element) => element === document.activeElement)).toBe(true)
  await see(page, '2026-01-31 09:00:10 to 09:00:11: 1 succeeded')
})

describe('a copy', () => {
  const body = `{"message":"it's \\"quoted\\" $HOME \`id\` \\\\ ünï \u202e"}`

  async function openCopies(label: string) {
    const opened = await openJournal(label)
    const { page, items } = opened
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copy = async (name: string, what: string) => {
      await press(page, name)
      await see(page, `Copied ${what}.`)
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const openEntry = async () => {
      await items.first().locator('summary').click()
      await page.locator('.detail').waitFor()
    }
    return { ...opened, copy, openEntry }
  }

  test('as curl or fetch sends the same request', async () => {
    const { page, apiKey, copy, openEntry } = await openCopies('curl')
    const headers = { ...jsonHeaders, Prefer: 'code=202', 'X-Trace': `it's` }
    await site.send(`/quickstart/messages?a=[1]&b={2}`, apiKey, { method: 'POST', headers, body })
    await openEntry()
    const command = await copy('Copy as curl', 'a curl command')
    await exec('sh', ['-c', `${command} -s`])
    await page.evaluate(`(async () => { ${await copy('Copy as fetch', 'a call of fetch')} })()`)
    const entries: Pick<JournalEntry, 'request'>[] = await readControl('/requests', apiKey)
    const sent = entries.map(({ request: { method, path, query, headers: all, body: text } }) => [
      ...[method, path, unescape(query ?? ''), text],
      ...[all['content-type'], all.prefer, all['x-trace']],
    ])
    expect(sent).toHaveLength(3)
    expect(sent[0]).toEqual(sent[2])
    expect(sent[1]).toEqual(sent[2])
    expect(entries[2]?.request.body).toBe(body)
  })

  test('as a test states the differences from the scenario, and passes', async () => {
    const { page, apiKey, copy, openEntry } = await openCopies('test')
    await see(page, isEmpty)
    // The page records the state after the first request, in which the test of the second one starts.
    const read: string[] = []
    page.on('response', async (response) => {
      const [name] = /snapshot|journal\?limit=0/.exec(response.url()) ?? []
      if (name) read[read.push(name) - 1] = `${name} ${(await response.json()).newestId}`
    })
    await site.send('/v1/inventory/7', apiKey, patch(3))
    await expect.poll(() => read.join()).toMatch(/limit=0 1,snapshot \w+,journal\?limit=0 1/)
    await expectShown(page, 1)
    await site.send('/v1/inventory', apiKey)
    await expectShown(page, 2)
    await openEntry()
    const code = await copy('Copy as test', 'a test for vitest')
    expect(code).toContain(`sandbox.worldFor("${apiKey}", "production")`)
    expect(code).toMatch(
      /extends: \[ "default" \],[\s\S]*world\.db\.pets\.change\(7, \{ quantity: 3 \}\)/,
    )
    await runCopiedTest(code)
    await expect(runCopiedTest(code.replace('quantity: 3', 'quantity: 4'))).rejects.toThrow()
    await page.getByLabel('Test runner of the copy').selectOption('node:test')
    expect(await copy('Copy as test', 'a test for node:test')).toContain('assert.equal(response')
    await page.reload()
    await openEntry()
    expect(await copy('Copy as test', 'a test for node:test')).toContain('from "node:test"')
  })

  test('has a placeholder for a key of which the journal has only the beginning', async () => {
    const { page, apiKey, copy, openEntry } = await openCopies('other-key')
    await site.send('/v1/inventory', apiKey.replace('enterprise', 'business'))
    await openEntry()
    const command = await copy('Copy as curl', 'a curl command')
    expect(command).toContain('# The journal has only the beginning of the key, sbx_business…')
    expect(command).toContain(`-H 'authorization: Bearer YOUR_API_KEY'`)
    await see(page, 'The journal has only the beginning of the key, sbx_business…')
  })

  test('works also in an insecure context, which has no clipboard', async () => {
    const apiKey = 'sbx_enterprise_default_no-clipboard'
    await site.send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined }),
    )
    await page.goto(`${site.url}/?again#key=${apiKey}`)
    await page.locator('.entries summary').first().click()
    await press(page, 'Copy as curl')
    await see(page, 'Copied a curl command.')
    await page.getByLabel('API key').fill('')
    await page.getByLabel('API key').press('Control+V')
    expect(await page.getByLabel('API key').inputValue()).toMatch(/^curl -i '.*\/v1\/inventory' -H/)
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await press(page, 'Copy as curl')
    await see(page, /permit it, or open the page with HTTPS or on localhost\./)
  })
})

/** Sends requests whose parts contain markup, control characters and long words. */
async function sendHostile(apiKey: string): Promise<void> {
  const markup = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
  const long = 'x'.repeat(1_500)
  const encoded = encodeURIComponent(markup)
  await site.send(`/v1/${encoded}${long}?q=${encoded}${long}`, apiKey, {
    method: 'POST',
    headers: { ...jsonHeaders, 'X-Markup': markup, 'X-Long': long, Prefer: markup },
    body: `${markup}\u202e\u0000${long}`,
  })
  await site.send('/v1/inventory/7', apiKey, {
    method: 'PATCH',
    headers: jsonHeaders,
    body: JSON.stringify({ quantity: markup, [markup]: `${long}\u202e` }),
  })
}

test.each(appearances)(
  'hostile strings are text and do not widen the page; axe finds nothing: %s, %s',
  async (...appearance) => {
    const { page, apiKey, items, messages } = await openJournal(`hostile-${appearance.join('-')}`)
    await setAppearance(page, appearance)
    await sendHostile(apiKey)
    await expectShown(page, 2)
    for (const at of [0, 1]) await items.nth(at).locator('summary').click()
    await expect.poll(() => page.locator('.detail').count()).toBe(2)
    await page.evaluate(() => location.assign('#request-2'))
    await page.getByRole('region', { name: 'Request 2' }).locator('.detail').waitFor()
    expect(await measureOverflow(page)).toBe(0)
    expect(await page.locator('.journal img, .entries script').count()).toBe(0)
    expect(await page.title()).toBe('Journal · default · petstore-sandbox')
    expect(await findNameless(page)).toEqual([])
    expect(await findWithAxe(page)).toEqual([])
    expect(messages).toEqual([])
  },
)
