import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findFlaws, twoAppearances } from './support/axe.js'
import { copy, press, save, see, useConsole } from './support/console.js'

const { open, openView, send, site } = useConsole()

const isEmpty = 'This world has not received a request yet.'
const patch = (quantity: number) => ({ method: 'PATCH', json: { quantity } }) as const

/** Opens a world of its own at a view. */
async function openJournal(label: string, view = 'journal') {
  const opened = await openView(view, label, 'sbx_enterprise_default')
  await opened.page.locator('.mark.live').waitFor()
  return { ...opened, items: opened.page.locator('.entries > li') }
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
  await send('/v1/inventory', apiKey)
  for (let count = 0; count < 3; count++) await send('/v1/pets/404', apiKey)
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
  await send('/v1/pets/404', apiKey)
  await items.first().locator('summary', { hasText: '× 4' }).waitFor()
  expect(await page.locator('.entries details[open]').count()).toBe(3)
})

describe('the connection', () => {
  test('entries are shown before the event stream is open, which the page reports after 5 s', async () => {
    const apiKey = 'sbx_enterprise_default_before'
    await send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.clock.install()
    await page.route('**/sandbox/events', () => {})
    await page.goto(`${site().url}/?again#key=${apiKey}`)
    await page.locator('.entries > li').waitFor()
    await page.locator('.mark', { hasText: 'connecting' }).waitFor()
    await page.clock.fastForward(5_000)
    await see(page, /^Not live yet: the event stream has not opened since \d\d:\d\d:\d\d\./)
  })

  test('the journal says since when and why it is not live, keeps its entries, and recovers', async () => {
    const apiKey = 'sbx_enterprise_default_lost'
    await send('/v1/inventory', apiKey)
    const { page } = await open(`${site().proxyUrl}#key=${apiKey}`)
    await page.locator('.mark.live').waitFor()
    await expectShown(page, 1)
    site().failProxy({ path: '/sandbox', status: 502 })
    await see(
      page,
      /^Not live since \d\d:\d\d:\d\d: 502 is not a response.*The page tries again\.$/,
    )
    await expectShown(page, 1)
    await send('/v1/pets/404', apiKey)
    site().failProxy(undefined)
    await expect.poll(() => page.locator('.live-note').textContent()).toBe('')
    await expectShown(page, 2)
  })

  test('the journal is emptied when another client clears it, or resets the world', async () => {
    const { page, apiKey, world } = await openJournal('emptied')
    for (const empty of [() => world.requests.clear(), () => world.reset()]) {
      await send('/v1/inventory', apiKey)
      await expectShown(page, 1)
      empty()
      await see(page, isEmpty)
    }
  })
})

describe('an entry', () => {
  test('opens with the keyboard, and shows request, response, explanation and changes', async () => {
    const { page, apiKey, items } = await openJournal('why')
    const headers = { 'X-Trace': 'abc' }
    await send('/v1/inventory/7?colour=red', apiKey, { ...patch(5), headers })
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

  test('is opened by its address, which says if it is no longer retained', async () => {
    const { page, apiKey } = await openJournal('address')
    await send('/v1/pets/404', apiKey)
    await send('/v1/inventory', apiKey)
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
    const { page, apiKey, world, items } = await openJournal('resend')
    await send('/v1/inventory/7', apiKey, patch(3))
    await send('/v1/inventory/8', apiKey, patch(9))
    await expectShown(page, 2)
    await items.nth(1).locator('summary').click()
    await press(page, 'Resend')
    await page.locator('.resent', { hasText: /200.*It is request 3 in the journal\./ }).waitFor()
    expect(await page.locator(':focus').textContent()).toBe('Resend')
    const again = { id: 3, method: 'PATCH', requestBody: '{"quantity":3}' }
    expect(world.requests.find().at(-1)).toMatchObject(again)
    await expectShown(page, 3)
  })
})

describe('the filter', () => {
  async function openFiltered(label: string) {
    const opened = await openJournal(label)
    const { apiKey, page, world } = opened
    world.clock.freeze('2026-01-31T09:00:00Z')
    await send('/v1/inventory', apiKey)
    await send('/v1/pets/404', apiKey)
    world.clock.advance('PT10M')
    await send('/v1/inventory/7', apiKey, patch(25))
    await send('/v1/inventory', apiKey)
    await expectShown(page, 4)
    // The page reads the clock after the entries.
    await page.getByRole('region', { name: 'State of this world' }).getByText('09:10:00').waitFor()
    return opened
  }

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
    const { page, apiKey, world } = await openFiltered('paused')
    await press(page, 'Pause')
    await page.locator('.mark', { hasText: 'paused' }).waitFor()
    await send('/v1/inventory', apiKey)
    await see(page, '1 newer since the pause')
    await expectShown(page, 4)
    await press(page, 'Pause')
    await expectShown(page, 5)
    await page.locator('.journal').getByRole('button', { name: 'Clear', exact: true }).click()
    await see(page, isEmpty)
    expect(world.requests.find()).toEqual([])
  })

  test('selects what is saved as HAR', async () => {
    const { page } = await openFiltered('har')
    await page.getByLabel('Text').fill('PATCH')
    await expectShown(page, 1)
    const { name, content } = await save(page, 'Export HAR')
    expect(name).toBe('petstore-sandbox.har')
    const { log } = JSON.parse(content)
    expect(log.entries).toHaveLength(1)
    expect(log.entries[0].request).toMatchObject({
      method: 'PATCH',
      url: `${site().url}/v1/inventory/7`,
    })
  })
})

test('every entry that the sandbox retains can be reached, and a page stays while others arrive', async () => {
  const apiKey = 'sbx_enterprise_default_paging'
  for (let sent = 1; sent <= 520; sent++) await send(`/v1/pets/${sent}`, apiKey)
  const { page } = await openJournal('paging')
  await see(page, '500 requests retained of 520 received.')
  const listShown = () => page.locator('.entries .request-line').allTextContents()
  expect((await listShown())[0]).toBe('GET /pets/520')
  await press(page, 'Journal: next page')
  const shown = await listShown()
  expect([shown.length, shown[0]]).toEqual([25, 'GET /pets/495'])
  for (let sent = 521; sent <= 523; sent++) await send(`/v1/pets/${sent}`, apiKey)
  await see(page, '29–53 of 500')
  expect(await listShown()).toEqual(shown)
  await press(page, 'Journal: first page')
  const all = await listShown()
  const next = page.getByRole('button', { name: 'Journal: next page' })
  while ((await next.getAttribute('aria-disabled')) === 'false') {
    await next.click()
    all.push(...(await listShown()))
  }
  expect(all).toEqual(Array.from({ length: 500 }, (_, at) => `GET /pets/${523 - at}`))
})

test('the timeline counts requests, and narrows the filter with the pointer and with the keyboard', async () => {
  const { page, apiKey, world, items } = await openJournal('bars')
  world.clock.freeze('2026-01-31T09:00:00Z')
  for (const path of ['/v1/inventory', '/v1/pets/404', '/v1/inventory', '/v1/pets/7']) {
    await send(path, apiKey)
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
  async function openCopies(label: string) {
    const opened = await openJournal(label)
    const { page, items } = opened
    const copyTest = (runner: string) => copy(page, 'Copy as test', `Copied a test for ${runner}.`)
    const openEntry = async () => {
      await items.first().locator('summary').click()
      await page.locator('.detail').waitFor()
    }
    return { ...opened, copyTest, openEntry }
  }

  test('as a test states the differences from the scenario, and passes', async () => {
    const { page, apiKey, copyTest, openEntry } = await openCopies('test')
    await see(page, isEmpty)
    // The page records the state after the first request, in which the test of the second one starts.
    const read: string[] = []
    page.on('response', async (response) => {
      const [name] = /snapshot|journal\?limit=0/.exec(response.url()) ?? []
      if (name) read[read.push(name) - 1] = `${name} ${(await response.json()).newestId}`
    })
    await send('/v1/inventory/7', apiKey, patch(3))
    await expect.poll(() => read.join()).toMatch(/limit=0 1,snapshot \w+,journal\?limit=0 1/)
    // The page may not have handled the last of these responses yet.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    await expectShown(page, 1)
    await send('/v1/inventory', apiKey)
    await expectShown(page, 2)
    await openEntry()
    const code = await copyTest('vitest')
    expect(code).toContain(`sandbox.worldFor("${apiKey}", "production")`)
    expect(code).toMatch(
      /extends: \[ "default" \],[\s\S]*world\.db\.pets\.change\(7, \{ quantity: 3 \}\)/,
    )
    await page.getByLabel('Test runner of the copy').selectOption('node:test')
    expect(await copyTest('node:test')).toContain('assert.equal(response')
    await page.reload()
    await openEntry()
    expect(await copyTest('node:test')).toContain('from "node:test"')
  })

  test('works also in an insecure context, which has no clipboard', async () => {
    const apiKey = 'sbx_enterprise_default_no-clipboard'
    await send('/v1/inventory', apiKey)
    const { page } = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined }),
    )
    await page.goto(`${site().url}/?again#key=${apiKey}`)
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
  await send(`/v1/${encoded}${long}?q=${encoded}${long}`, apiKey, {
    method: 'POST',
    headers: { 'X-Markup': markup, 'X-Long': long, Prefer: markup },
    body: `${markup}\u202e\u0000${long}`,
  })
  const json = { quantity: markup, [markup]: `${long}\u202e` }
  await send('/v1/inventory/7', apiKey, { method: 'PATCH', json })
}

test('hostile strings are text, and have no flaws', async () => {
  const { page, apiKey, items, messages } = await openJournal('hostile')
  await sendHostile(apiKey)
  await expectShown(page, 2)
  for (const at of [0, 1]) await items.nth(at).locator('summary').click()
  await expect.poll(() => page.locator('.detail').count()).toBe(2)
  await page.evaluate(() => location.assign('#request-2'))
  await page.getByRole('region', { name: 'Request 2' }).locator('.detail').waitFor()
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  expect(await page.locator('.journal img, .entries script').count()).toBe(0)
  expect(await page.title()).toBe('Journal · default · petstore-sandbox')
  expect(messages).toEqual([])
})
