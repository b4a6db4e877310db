import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { BrowserSandboxOptions } from '../../src/browser.js'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { findFlaws } from './support/axe.js'
import { copy, press, see } from './support/console.js'
import { apiUrl, fetchFromPage } from './support/page-requests.js'
import { reload, usePages } from './support/pages.js'
import { measureOverflow } from './support/readable.js'
import { openTestPage } from './support/site.js'

let server: SandboxServer

/** The server of the page forwards `/petstore` to a sandbox, and permits no inline styles. */
const pages = usePages(async () => {
  server = await createSandboxServer()
  const target = await server.listen({ port: 0 })
  const rewrite = (path: string) => path.replace(/^\/petstore/, '')
  return openTestPage({
    preview: {
      headers: { 'Content-Security-Policy': "default-src 'self'; connect-src *; img-src data:" },
      proxy: { '/petstore': { target, rewrite } },
    },
  })
})
afterAll(() => server.close())

const line = (page: Page) => page.getByRole('button', { name: /^Sandbox panel/ })
const toggle = (page: Page) => line(page).click()
const panel = 'petstore-sandbox-panel'

/** A page with an open panel, and the base URL of its sandbox. */
interface Opened {
  readonly page: Page
  readonly api: string
  readonly apiKey: string
}

async function openInProcess(options: BrowserSandboxOptions = {}): Promise<Opened> {
  const { page } = await pages.start({ panel: true, ...options })
  await toggle(page)
  return { page, api: apiUrl, apiKey: 'sbx_free' }
}

let worlds = 0

async function openOverHttp(): Promise<Opened> {
  const apiKey = `sbx_free_default_panel-${worlds++}`
  const { page } = await pages.open()
  await page.evaluate(async (key) => {
    const { connectPanel } = await window.loadDevtools()
    connectPanel({ url: '/petstore', apiKey: key })
  }, apiKey)
  await toggle(page)
  return { page, api: '/petstore/v1', apiKey }
}

/** Returns the status and the code of a response to the page; 0 if the connection breaks. */
async function send({ page, api, apiKey }: Opened, path = '/inventory'): Promise<[number, string]> {
  const sent = fetchFromPage(page, api + path, { key: apiKey })
  const { status, text } = await sent.catch(() => ({ status: 0, text: '' }))
  const [, code = 'ok'] = /"code":"(\w+)"/.exec(text) ?? []
  return [status, code]
}

const ok = [200, 'ok']
const limited = [429, 'rate_limit_exceeded']

test.each([
  ['in the page', openInProcess, 0],
  // The server of the page responds in place of the broken connection.
  ['over HTTP', openOverHttp, 502],
] as const)(
  'the panel of a sandbox %s controls its world and shows its requests',
  async (_, openPanel, brokenStatus) => {
    const opened = await openPanel()
    const { page } = opened
    await see(page, new URL(opened.api, pages.url()).href)
    await press(page, /^empty-store/)
    await see(page, 'Started empty-store.')
    expect(await send(opened, '/pets/1')).toEqual([404, 'pet_not_found'])
    await page.locator('[aria-current="true"]', { hasText: 'empty-store' }).waitFor()
    await press(page, /^default/)
    await see(page, 'Started default.')

    await press(page, 'Fail the next request')
    await see(page, 'Error status 503: every operation, once more')
    expect(await send(opened)).toEqual([503, 'service_unavailable'])
    await press(page, 'Break the next connection')
    await see(page, 'Connection reset: every operation, once more')
    expect((await send(opened))[0]).toBe(brokenStatus)
    await page.getByLabel('Latency').selectOption('0.3 s')
    await see(page, 'Responses take 300 ms longer.')
    const before = Date.now()
    expect(await send(opened)).toEqual(ok)
    expect(Date.now() - before).toBeGreaterThanOrEqual(300)
    await page.getByLabel('Latency').selectOption('none')
    await see(page, 'This world has no faults.')

    await press(page, 'Exhaust the minute')
    await see(page, /\b0 of 60 left/)
    expect(await send(opened)).toEqual(limited)
    await press(page, 'To the next event')
    await see(page, 'Advanced to: minute window resets.')
    expect(await send(opened)).toEqual(ok)
    await press(page, 'Ban for 5 min')
    await see(page, /The key is banned until/)
    expect(await send(opened)).toEqual([429, 'api_key_banned'])
    await press(page, 'Lift the ban')
    await see(page, /^Not banned\.$/)

    await press(page, 'Journal')
    await page.locator('.entries summary', { hasText: 'api_key_banned' }).click()
    await see(page, /^rejected with 429 api_key_banned/)
    const code = await copy(page, 'Copy as test', 'Copied a test for vitest.')
    expect(code).toContain('test("listInventory responds with 429 api_key_banned"')
    expect(code).toContain(`sandbox.worldFor("${opened.apiKey}", "production")`)
    await press(page, 'Clear')
    await see(page, 'This world has not received a request yet.')
  },
)

test('the panel shows changes that code makes, without asking for them', async () => {
  const { page } = await openInProcess()
  await see(page, 'running')
  await page.evaluate(() => window.petstoreSandbox?.world.clock.freeze('2030-01-31T09:00:00Z'))
  await see(page, '2030-01-31 09:00:00')
  // Reading the world is no change: the panel would otherwise read it again and again.
  const changes = await page.evaluateHandle(() => {
    const worlds: unknown[] = []
    window.petstoreSandbox?.onChange((world) => worlds.push(world))
    window.petstoreSandbox?.world.clock.advance('PT1S')
    return worlds
  })
  await see(page, '2030-01-31 09:00:01')
  expect(await changes.evaluate(({ length }) => length)).toBe(1)
})

test('the options select the world and the corner', async () => {
  const { page } = await pages.start({
    panel: { apiKey: 'sbx_pro_low-stock_a', environment: 'staging', position: 'top-left' },
  })
  await toggle(page)
  await see(page, 'sbx_pro_low-stock_a')
  await see(page, 'staging')
  await see(page, '300 of 300 left')
  await see(page, 'https://staging.api.petstore.example/v1')
  await press(page, 'Collapse the sandbox panel')
  const box = await page.locator('.toggle').boundingBox()
  expect(box).toMatchObject({ x: 16, y: 16 })
})

/** Whether two elements, which are in the page, overlap. */
async function overlap(page: Page, one: string, other: string): Promise<boolean> {
  const boxes = await Promise.all([one, other].map((name) => page.locator(name).boundingBox()))
  const [a, b] = boxes
  if (!a || !b) throw new Error(`${one} or ${other} is not visible`)
  const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x
  return !isBeside && a.y + a.height > b.y && b.y + b.height > a.y
}

describe('a ban of a key', () => {
  const ban = async (page: Page, plan: string) => {
    const apiKey = `sbx_${plan}`
    await page.evaluate(
      async ([key, plan]) => {
        const world = await window.petstoreSandbox?.worldFor(key)
        world?.quota.account(plan).set({ ban: { seconds: 300 } })
      },
      [apiKey, plan] as const,
    )
    await send({ page, api: apiUrl, apiKey })
  }
  const note = 'petstore-sandbox-overlay .note'
  const countLifts = (page: Page) => page.getByRole('button', { name: 'Lift the ban' }).count()

  test.each([
    ['bottom-right', 360],
    ['top-left', 1280],
  ] as const)('shows a note beside the button: %s, %i px', async (position, width) => {
    const { page } = await pages.start({ panel: { position } })
    await page.setViewportSize({ width, height: 700 })
    await ban(page, 'free')
    await page.locator(note).waitFor()
    await page.locator('.toggle').waitFor()
    expect(await overlap(page, note, '.toggle')).toBe(false)
    expect(await measureOverflow(page)).toBe(0)
    await press(page, 'Lift the ban')
    expect(await countLifts(page)).toBe(0)
  })

  test('is lifted by one button, of the note or of the open panel', async () => {
    const { page } = await pages.start({ panel: true })
    await ban(page, 'free')
    await page.locator(note).waitFor()
    expect(await countLifts(page)).toBe(1)
    await toggle(page)
    await see(page, /The key is banned until/)
    expect(await countLifts(page)).toBe(1)
    await press(page, 'Collapse the sandbox panel')
    await page.locator(note).waitFor()
    expect(await countLifts(page)).toBe(1)
    await toggle(page)
    await press(page, 'Lift the ban')
    await see(page, /^Not banned\.$/)
    expect(await page.locator(note).count()).toBe(0)
  })

  test('that the open panel does not show is in a note above it', async () => {
    const { page } = await openInProcess()
    await see(page, '60 of 60 left')
    await ban(page, 'pro')
    await page.locator(note).waitFor()
    expect(await overlap(page, note, '.content')).toBe(false)
    await press(page, 'Lift the ban')
    expect(await page.locator(note).count()).toBe(0)
  })
})

test('a message covers and moves no button', async () => {
  const { page } = await openInProcess()
  await page.setViewportSize({ width: 360, height: 800 })
  await see(page, '60 of 60 left')
  /** Names and centers of the buttons that receive clicks there. */
  const read = () =>
    page.locator('.tab-content button, .tab-list button').evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        const center = [x + width / 2, y + height / 2] as const
        const root = button.getRootNode() as ShadowRoot // the root of the panel
        const isClear = button.contains(root.elementFromPoint(...center))
        return isClear ? [`${button.textContent} at ${center}`] : []
      }),
    )
  // A click would scroll to the button.
  await page.getByRole('button', { name: '+1 min', exact: true }).scrollIntoViewIfNeeded()
  const before = await read()
  expect(before.length).toBeGreaterThan(5)
  await press(page, '+1 min')
  await see(page, 'Advanced by 1 min.')
  expect(await page.locator('.notice').count()).toBe(1)
  expect(await read()).toEqual(before)
})

test('stop removes the panel, and another panel replaces it', async () => {
  const { page } = await openInProcess()
  await page.evaluate(async () => {
    const { openPanel } = await window.loadDevtools()
    if (window.petstoreSandbox) openPanel(window.petstoreSandbox)
  })
  expect(await page.locator(panel).count()).toBe(1)
  const { page: other } = await openInProcess()
  await other.evaluate(() => window.petstoreSandbox?.stop())
  expect(await other.locator(panel).count()).toBe(0)
})

test('connectPanel rejects the URL of another origin', async () => {
  const { page } = await pages.open()
  const connecting = page.evaluate(async () => {
    const { connectPanel } = await window.loadDevtools()
    connectPanel({ url: 'http://127.0.0.1:1', apiKey: 'sbx_free' })
  })
  await expect(connecting).rejects.toThrow(/must be a URL at the origin of this page/)
})

test('the panel says why a sandbox over HTTP is not available, and recovers', async () => {
  const opened = await openOverHttp()
  const { page } = opened
  await see(page, '60 of 60 left')
  await page.route('**/petstore/sandbox*', (route) => route.abort())
  await see(page, /The sandbox does not respond/)
  await page.unroute('**/petstore/sandbox*')
  await see(page, '60 of 60 left')
})

/** Styles that affect every element of a page. */
const hostileStyles = `
  :root { --text: lime; --surface: lime; --sans: fantasy; }
  * { --text: lime !important; color: red !important; font-size: 40px !important;
      font-family: fantasy !important; letter-spacing: 9px !important; direction: rtl !important;
      text-transform: uppercase !important; background: yellow !important; }
  body *, html > :not(head):not(body) { display: none !important; visibility: hidden !important; }
  button, section { position: static !important; transform: rotate(9deg) !important; }
`

/** Returns the styles and the places of the elements of the page, or of those inside the panel. */
function readStyles(page: Page, inside?: string): Promise<string[]> {
  return page.evaluate((name) => {
    const root = name === undefined ? document : document.querySelector(name)?.shadowRoot
    const elements = root?.querySelectorAll(name === undefined ? 'html, body, body *' : '*') ?? []
    return Array.from(elements, (element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const styles = getComputedStyle(element)
      const values = Array.from(styles, (style) => styles.getPropertyValue(style))
      return JSON.stringify([element.tagName, x, y, width, height, values])
    })
  }, inside)
}

test('the panel and the page do not affect the styles of each other', async () => {
  const scenario = { name: 'still', extends: 'default', clock: { frozen: true } } as const
  const { page } = await pages.start({ scenario })
  await page.evaluate(() => {
    document.body.innerHTML =
      '<main><h1>Pets</h1><ul><li>Ada</li></ul><button>Buy</button><input><code>a</code></main>'
  })
  const ownBefore = await readStyles(page)
  await page.evaluate(async () => {
    const { openPanel } = await window.loadDevtools()
    if (window.petstoreSandbox) openPanel(window.petstoreSandbox)
  })
  await toggle(page)
  await see(page, '60 of 60 left')
  // The list of scenarios is the last part of the panel to load.
  await page.getByRole('button', { name: 'low-stock' }).waitFor()
  expect(await readStyles(page)).toEqual(ownBefore)

  // Nothing is under the pointer.
  await page.mouse.move(0, 0)
  const before = await readStyles(page, panel)
  expect(before.length).toBeGreaterThan(100)
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, hostileStyles)
  expect(await readStyles(page)).not.toEqual(ownBefore)
  expect(await readStyles(page, panel)).toEqual(before)
  await press(page, 'Fail the next request')
  await see(page, 'The next request receives 503.')
})

describe('the keyboard', () => {
  /** Returns the accessible name or the text of the focused element, also inside the panel. */
  const readFocus = (page: Page) =>
    page.evaluate(() => {
      const { activeElement } = document
      const focused = activeElement?.shadowRoot?.activeElement ?? activeElement
      return (focused?.getAttribute('aria-label') ?? focused?.id) || focused?.textContent
    })

  test('opens the panel, selects a view and closes it', async () => {
    const { page } = await pages.start({ panel: true })
    await line(page).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('content')
    await page.keyboard.press('Tab')
    await expect.poll(() => readFocus(page)).toBe('Size of the panel')
    const readHeight = async () => (await page.locator('.content').boundingBox())?.height ?? 0
    const before = await readHeight()
    await page.keyboard.press('ArrowUp')
    await expect.poll(readHeight).toBe(before + 20)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => readFocus(page)).toBe('Collapse the sandbox panel')
    await page.getByRole('button', { name: 'Journal' }).press('Enter')
    await page.getByRole('region', { name: 'View: Journal' }).waitFor()
    await page.getByLabel('Status, such as 429 or 4xx').focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => readFocus(page)).toMatch(/^Sandbox panel/)
    await page.locator('.content').waitFor({ state: 'detached' })
  })

  test('does not reach the shortcuts of the page while the user types in the panel', async () => {
    const { page } = await openInProcess()
    await page.evaluate(() => {
      document.body.innerHTML = '<input id="own">'
      document.addEventListener('keydown', ({ key }) => {
        document.title += key
      })
      document.title = ''
    })
    await press(page, 'Journal')
    await page.getByLabel('Status, such as 429 or 4xx').press('4')
    expect(await page.title()).toBe('')
    await page.locator('#own').press('k')
    expect(await page.title()).toBe('k')
  })
})

test('an open panel stays open when the page is reloaded, and does not take the focus', async () => {
  const { page } = await openInProcess()
  await see(page, '60 of 60 left')
  await reload(page)
  await see(page, '60 of 60 left')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await press(page, 'Collapse the sandbox panel')
  await reload(page)
  await line(page).waitFor()
  expect(await page.locator('.content').count()).toBe(0)
})

test('the pointer resizes the sheet, and the tab remembers its size and its edge', async () => {
  const { page } = await openInProcess()
  const readBox = () => page.locator('.content').boundingBox()
  const drag = async (x: number, y: number) => {
    const handle = await page.getByRole('separator').boundingBox()
    await page.mouse.move((handle?.x ?? 0) + 2, (handle?.y ?? 0) + 2)
    await page.mouse.down()
    await page.mouse.move(x, y)
    await page.mouse.up()
  }
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await drag(300, height - 250)
  await expect.poll(readBox).toMatchObject({ width, height: 250 })
  await press(page, 'Dock aside')
  await drag(width - 400, 300)
  await expect.poll(readBox).toMatchObject({ width: 400, height })
  await reload(page)
  await see(page, '60 of 60 left')
  expect(await readBox()).toMatchObject({ width: 400, height })
})

test('the collapsed panel shows the scenario, the quota and the next fault in one line', async () => {
  const opened = await openInProcess({ scenario: 'low-stock' })
  const { page } = opened
  await press(page, 'Fail the next request')
  await press(page, 'Collapse the sandbox panel')
  const read = () => line(page).textContent()
  await expect.poll(read).toBe('Sandbox panel: low-stock60/60Error status 503')
  await send(opened)
  await expect.poll(read).toBe('Sandbox panel: low-stock59/60')
  await page.evaluate(() =>
    window.petstoreSandbox?.world.quota.account('free').set({ ban: { seconds: 9 } }),
  )
  await expect.poll(read).toBe('Sandbox panel: low-stockbanned')
})

test('the panel filters its scenarios, and copies a link to the running one', async () => {
  const { page } = await openInProcess({ scenarioFromUrl: true })
  await page.getByLabel('Filter the scenarios').fill('NEARLY sold')
  await expect.poll(() => page.locator('.scenarios li').count()).toBe(1)
  await page.getByRole('button', { name: /^low-stock/ }).click()
  await see(page, 'Started low-stock.')
  const link = await copy(page, 'Copy link to this state', 'Copied the link to this state.')
  expect(new URL(link).searchParams.get('scenario')).toBe('low-stock')
})

test('a phone shows the panel as a sheet of the width of the window, on half of the page', async () => {
  const opened = await openInProcess()
  const { page } = opened
  await send(opened, '/pets/7')
  await page.setViewportSize({ width: 360, height: 700 })
  for (const tab of ['Control', 'Journal']) {
    await press(page, tab)
    if (tab === 'Journal') await page.locator('.entries summary').first().click()
    const box = await page.locator('.content').boundingBox()
    expect(box).toMatchObject({ x: 0, width: 360 })
    expect(box?.y).toBeGreaterThanOrEqual(350)
    const isWide = await page
      .locator('.tab-content')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    expect(isWide).toBe(false)
    expect(await measureOverflow(page)).toBe(0)
  }
  await press(page, 'Control')
  await press(page, 'Ban for 5 min')
  await see(page, 'Lift the ban')
  await page.setViewportSize({ width: 360, height: 420 })
  const lift = await page.getByRole('button', { name: 'Lift the ban' }).boundingBox()
  expect((lift?.y ?? 0) + (lift?.height ?? 0)).toBeLessThan(420)
  const content = await page.locator('.tab-content').boundingBox()
  expect(content?.height).toBeGreaterThan(50)
})

test('the panel has no flaws', async () => {
  const { page } = await pages.start({ panel: true, scenario: 'rate-limited', overlay: false })
  // axe does not measure the contrast of elements outside the body.
  await page.evaluate((name) => document.body.append(document.querySelector(name) ?? ''), panel)
  expect(await findFlaws(page), 'closed').toEqual([])
  await toggle(page)
  await send({ page, api: apiUrl, apiKey: 'sbx_free' })
  await see(page, /1 of 10 rejections/)
  expect(await findFlaws(page), 'controls').toEqual([])
  await press(page, 'Journal')
  await page.locator('summary').first().click()
  expect(await findFlaws(page), 'journal').toEqual([])
})
