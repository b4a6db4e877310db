import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { BrowserSandboxOptions } from '../../src/browser.js'
import { findFlaws } from './support/axe.js'
import { apiUrl, fetchFromPage, readQuantity } from './support/page-requests.js'
import { toStartPath, usePages } from './support/pages.js'
import { measureOverflow } from './support/readable.js'
import { openTestPage, workerFolder } from './support/site.js'

const folder = await createWorkerScripts()
beforeAll(() => () => rm(folder, { recursive: true }))

const { open, start, url } = usePages(() => openTestPage({ publicDir: folder, appType: 'mpa' }))

/** Creates a folder with msw's worker script and with scripts that msw cannot use. */
async function createWorkerScripts(): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), 'petstore-workers-'))
  await cp(workerFolder, created, { recursive: true })
  const script = await readFile(join(workerFolder, 'mockServiceWorker.js'), 'utf8')
  const older = script.replace(/INTEGRITY_CHECKSUM = '\w+'/, "INTEGRITY_CHECKSUM = 'older'")
  await writeFile(join(created, 'older.js'), older.replace(/'\d+\.\d+\.\d+'/, "'2.0.1'"))
  await writeFile(join(created, 'silent.js'), "addEventListener('fetch', () => {})\n")
  await writeFile(join(created, 'broken.js'), 'throw new Error()\n')
  await writeFile(join(created, 'worker.txt'), script)
  return created
}

/** The elements of the overlay. Playwright's selectors find them in the shadow root. */
const findDialog = (page: Page) => page.getByRole('alertdialog')
const findNote = (page: Page) => page.locator('petstore-sandbox-overlay').getByRole('alert')

/**
 * Starts a sandbox in an open page. Returns the message of the error.
 *
 * @param options Its scenario may be unknown.
 */
function startAndFail(
  page: Page,
  options: Omit<BrowserSandboxOptions, 'scenario'> & { scenario?: unknown },
): Promise<string> {
  return page.evaluate(
    (options) => window.startSandbox({ quiet: true, ...options }).then(() => '', String),
    options as BrowserSandboxOptions,
  )
}

describe('the overlay of a failed start', () => {
  test('lists the known scenarios as links that start them', async () => {
    const options = { scenarioFromUrl: 'mock', scenarios: [{ name: 'mine' }] }
    const { page } = await open(toStartPath(options, '&mock=low-stok#top'))
    const dialog = findDialog(page)
    await expect.poll(() => dialog.textContent()).toContain('found "low-stok"')
    expect(await dialog.getByRole('link').allTextContents()).toEqual(
      expect.arrayContaining(['default', 'low-stock', 'mine']),
    )
    await dialog.getByRole('link', { name: 'low-stock', exact: true }).click()
    await page.waitForURL(/mock=low-stock#top$/)
    await page.evaluate(() => window.started)
    expect(await readQuantity(page, 1)).toBe(1)
    expect(await findDialog(page).count()).toBe(0)
  })

  test.each([
    ['is missing', '/none.js', "msw's worker script is missing: {url}/none.js responds with 404"],
    ['is no script', '/worker.txt', '{url}/worker.txt responds with text/plain, not a script'],
    ['cannot be executed', '/broken.js', 'could not start the worker script {url}/broken.js'],
  ])('says what to do if the worker script %s', async (_, path, wanted) => {
    const { page } = await open()
    const message = await startAndFail(page, { serviceWorker: { url: path } })
    expect(message).toContain(wanted.replace('{url}', url()))
    const dialog = findDialog(page)
    await expect.poll(() => dialog.textContent()).toContain(message.replace('Error: ', ''))
  })

  test('says what to do if the worker script does not respond', async () => {
    const { page } = await open()
    await page.clock.install()
    await page.reload()
    let message = ''
    void startAndFail(page, { serviceWorker: { url: '/silent.js' } }).then((found) => {
      message = found
    })
    const pass = async () => {
      await page.clock.fastForward(10_000)
      return message
    }
    // The page begins to wait after the script is registered.
    await expect
      .poll(pass)
      .toContain(`The worker script ${url()}/silent.js does not respond: it is outdated`)
    await expect.poll(() => findDialog(page).textContent()).toContain('npx msw init public --save')
  })

  test('says what to do if the Content Security Policy blocks the worker script', async () => {
    const { page } = await open()
    await page.evaluate(() => {
      const policy = document.createElement('meta')
      policy.httpEquiv = 'Content-Security-Policy'
      policy.content = "worker-src 'none'; style-src 'none'"
      document.head.append(policy)
    })
    const message = await startAndFail(page, {})
    expect(message).toContain(`this page does not allow ${url()}/mockServiceWorker.js`)
    const dialog = findDialog(page)
    await expect.poll(() => dialog.textContent()).toContain("worker-src 'self'")
    const { borderRadius } = await dialog.evaluate((element) => ({ ...getComputedStyle(element) }))
    expect(borderRadius, 'the policy does not affect its styles').toBe('8px')
  })

  test('is not shown with overlay: false, and startSandbox rejects', async () => {
    const { page } = await open()
    const failing = { scenario: 'low-stok', overlay: false }
    expect(await startAndFail(page, failing)).toContain('low-stok')
    expect(await startAndFail(page, { ...failing, overlay: true })).toContain('low-stok')
    await findDialog(page).waitFor()
    expect(await findDialog(page).count(), 'only of the second start').toBe(1)
  })

  test('does not end the start in a browser without service workers', async () => {
    const { page } = await open()
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
    })
    await page.goto(new URL(toStartPath({}), page.url()).href)
    await page.evaluate(() => window.started)
    expect(await readQuantity(page, 1)).toBe(4)
    expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false)
  })
})

describe('the overlay', () => {
  test('fits a window of 360 pixels, has the focus, and Escape closes it', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 360, height: 640 })
    await startAndFail(page, { scenario: 'x'.repeat(90) })
    const dialog = findDialog(page)
    await dialog.waitFor()
    expect(await measureOverflow(page)).toBe(0)
    const box = await dialog.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    const focused = await dialog.evaluate(
      (element) => (element.getRootNode() as ShadowRoot).activeElement?.textContent,
    )
    expect(focused).toBe('Reload')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('and a note have no flaws', async () => {
    const { page } = await open()
    await startAndFail(page, { scenario: 'none', scenarioFromUrl: true })
    await findDialog(page).waitFor()
    expect(await findFlaws(await moveIntoBody(page))).toEqual([])

    const { page: noted } = await start({ scenario: 'banned-key' })
    await fetchFromPage(noted, `${apiUrl}/inventory`)
    await findNote(noted).waitFor()
    expect(await findFlaws(await moveIntoBody(noted))).toEqual([])
  })

  test('is not affected by the styles of the page, and does not affect them', async () => {
    const { page } = await open()
    await page.addStyleTag({ content: '* { font-size: 99px !important; color: red !important }' })
    await page.evaluate(() => document.body.append(document.createElement('button')))
    const read = () => page.locator('body > button').evaluate((b) => getComputedStyle(b).minHeight)
    const before = await read()
    await startAndFail(page, { scenario: 'none' })
    const button = findDialog(page).getByRole('button', { name: 'Reload' })
    expect(await button.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px')
    expect(await read()).toBe(before)
  })
})

test('a worker script of another version of msw is reported in a note, and the sandbox responds', async () => {
  const { page } = await start({ serviceWorker: { url: '/older.js' } })
  await expect
    .poll(() => findNote(page).textContent())
    .toContain(`${url()}/older.js is from msw 2.0.1, and the page uses another version`)
  expect(await readQuantity(page, 1)).toBe(4)
  await findNote(page).getByRole('button', { name: 'Dismiss' }).click()
  expect(await findNote(page).count()).toBe(0)
})

/** Moves the overlay: axe does not measure the contrast of elements outside the body. */
async function moveIntoBody(page: Page): Promise<Page> {
  const overlay = 'petstore-sandbox-overlay'
  await page.evaluate((name) => document.body.append(document.querySelector(name) ?? ''), overlay)
  return page
}

describe('a page that repeats rejected requests', () => {
  const rule = { rejections: 3, seconds: 60 }
  const scenario = { name: 'strict', extends: 'rate-limited', rules: { ban: rule } }

  const repeat = async (page: Page, count: number, key?: string) => {
    for (let sent = 0; sent < count; sent++) {
      await fetchFromPage(page, `${apiUrl}/inventory`, key === undefined ? {} : { key })
    }
  }

  test('is warned in the console before the ban and of the ban, each once', async () => {
    const { page, messages } = await start({ scenario })
    const warnings = () => messages.filter((message) => message.startsWith('petstore-sandbox: '))
    await repeat(page, 1)
    expect(warnings()).toEqual([])
    await repeat(page, 1)
    await expect
      .poll(warnings)
      .toEqual([
        expect.stringContaining(
          'sbx_free… has 2 of 3 rejections; the next one bans the key for 60 s.',
        ),
      ])
    await repeat(page, 3)
    await expect.poll(() => warnings().length).toBe(2)
    expect(warnings()[1]).toMatch(/sbx_free…: the key is banned until .+Z\. To lift the ban:\n/)
  })

  test.each([true, false])(
    'can lift the ban with the statement in the console, with expose: %s',
    async (expose) => {
      const { page, messages } = await start({ scenario, expose })
      await repeat(page, 3)
      const find = () => messages.find((message) => message.includes('To lift the ban'))
      await expect.poll(find).toBeDefined()
      const statement = find()?.split('To lift the ban:\n')[1] ?? ''
      expect(statement.startsWith('petstoreSandbox.')).toBe(expose)
      await page.evaluate(statement)
      const { text } = await fetchFromPage(page, `${apiUrl}/inventory`)
      expect(JSON.parse(text)).toMatchObject({ code: 'rate_limit_exceeded' })
    },
  )

  test('shows a note that lifts the ban, also of a labelled key', async () => {
    const { page } = await start({ scenarios: [scenario] })
    const key = 'sbx_pro_strict_ci-7'
    await repeat(page, 3, key)
    const note = findNote(page)
    await expect.poll(() => note.textContent()).toContain('is banned until')
    expect(await note.textContent()).not.toContain('ci-7')
    await note.getByRole('button', { name: 'Lift the ban' }).click()
    expect(await note.count()).toBe(0)
    const { text } = await fetchFromPage(page, `${apiUrl}/inventory`, { key })
    expect(JSON.parse(text)).toMatchObject({ code: 'rate_limit_exceeded' })
  })

  test('shows the note until the ban is lifted elsewhere', async () => {
    const { page } = await start({ scenario })
    await repeat(page, 3)
    await findNote(page).waitFor()
    await page.evaluate(() => window.petstoreSandbox?.world.clock.advance('PT61S'))
    await expect.poll(() => findNote(page).count()).toBe(0)
  })

  test.each(['top-left', 'bottom-right'] as const)(
    'shows the notes of all bans in a corner: %s',
    async (overlay) => {
      const { page } = await start({ scenarios: [scenario], overlay })
      for (const plan of ['free', 'pro']) await repeat(page, 3, `sbx_${plan}_strict`)
      await expect.poll(() => findNote(page).count()).toBe(2)
      const boxes = await Promise.all([0, 1].map((at) => findNote(page).nth(at).boundingBox()))
      const [first, second] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 })
      const { width = 0, height = 0 } = page.viewportSize() ?? {}
      expect(first && (first.x < width / 2 ? 'left' : 'right')).toBe(overlay.split('-')[1])
      expect(first && (first.y < height / 2 ? 'top' : 'bottom')).toBe(overlay.split('-')[0])
      expect(first && second && first.y + first.height <= second.y).toBe(true)
    },
  )

  test('shows no note with overlay: false', async () => {
    const { page, messages } = await start({ scenario, overlay: false })
    await repeat(page, 3)
    await expect.poll(() => messages.join()).toContain('To lift the ban')
    expect(await page.locator('petstore-sandbox-overlay').count()).toBe(0)
  })
})
