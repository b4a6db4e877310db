// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'petstore-react-'))
afterAll(() => rm(folder, { recursive: true }))

/** Builds the page in a mode, as `npm run build` does. Returns the folder of its files. */
function build(mode: string): string {
  const outDir = join(folder, mode)
  const vite = join(project, 'node_modules/vite/bin/vite.js')
  const args = [
    vite,
    'build',
    '--mode',
    mode,
    '--outDir',
    outDir,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]
  const { NODE_ENV: _, ...env } = process.env
  execFileSync(process.execPath, args, { cwd: project, env, stdio: 'inherit' })
  return outDir
}

test('the production build contains neither the sandbox nor its worker script', () => {
  const outDir = build('production')

  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
  const scripts = files.filter((name) => name.endsWith('.js'))
  expect(scripts).toEqual([expect.stringMatching(/^assets\/index-.*\.js$/)])
  const code = readFileSync(join(outDir, scripts[0] ?? ''), 'utf8')
  expect(code).toContain('api.petstore.example')
  expect(code).not.toMatch(/petstoreSandbox|mockServiceWorker|rate-limited|sbx_/)
})

describe('the page that is built with the sandbox', () => {
  let server: PreviewServer
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const outDir = build('preview')
    server = await preview({
      root: project,
      configFile: false,
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
    })
    browser = await launchChromium()
    return async () => {
      await browser.close()
      await server.close()
    }
  })

  /** Opens the page in a tab of its own. */
  const open = async (query = '') => {
    page = await browser.newPage({ baseURL: server.resolvedUrls?.local[0] ?? '' })
    await page.goto(`/${query}`)
    return page
  }

  test('shows a change of the world at once, with one more request', async () => {
    await open()
    await page.getByText('Pet 1: 4').waitFor()

    await page.evaluate(() => window.petstoreSandbox?.world.db.pets.change('1', { quantity: 31 }))

    await page.getByText('Pet 1: 31').waitFor()
    expect(await countRequests(page)).toBe(2)
  })

  test('counts down after a 429, and recovers when the world is a minute later', async () => {
    await open('?scenario=rate-limited')
    await page.getByRole('timer').waitFor()

    await page.evaluate(() => window.petstoreSandbox?.world.clock.advance('PT1M'))

    await page.getByText('Pet 1: 4').waitFor()
    expect(await page.getByRole('timer').count()).toBe(0)
    expect(await countRequests(page)).toBe(2)
  })

  /** The status of a sale after each preset of the panel, 0 if the connection breaks, and its result. */
  const presets = [
    ['Down for 3 requests', 503, 'fails'],
    ['20 % errors', 200, 'succeeds'],
    ['Fail the next request', 503, 'fails'],
    ['Break the next connection', 0, 'fails'],
    ['Lose the next response', 0, 'fails'],
    ['Truncate the next response', 200, 'fails'],
    ['One request left', 200, 'succeeds'],
    ['Exhaust the minute', 429, 'fails'],
    ['Exhaust the day', 429, 'fails'],
    ['Ban for 5 min', 429, 'fails'],
    ['Reset the quota', 200, 'succeeds'],
  ] as const

  test('the panel has these presets', async () => {
    await openPanel()
    const buttons = page.locator('petstore-sandbox-panel .card .actions button')
    const names = presets.map(([name]) => name)
    const others = ['Freeze', '+1 min', '+1 h', '+1 day', 'To the next event', 'Set']
    expect(await buttons.allTextContents()).toEqual([...names, ...others])
  })

  test.each(presets)('after “%s”, a sale receives %i and %s', async (name, status, result) => {
    await openPanel()
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('petstore-sandbox-panel .notice').waitFor()

    await page.getByRole('button', { name: 'Sell pet 1', exact: true }).click()

    const row = page.getByRole('listitem').filter({ hasText: 'Pet 1:' })
    const shown = result === 'fails' ? row.getByRole('alert') : row.getByText('Pet 1: 3')
    await shown.waitFor()
    const readReceived = () =>
      page.evaluate(() =>
        window.petstoreSandbox?.world.requests
          .find()
          .map(({ operation, status }) => [operation, status]),
      )
    // The page shows the new stock before the response.
    await expect.poll(readReceived, { timeout: 10_000 }).toEqual([
      ['listInventory', 200],
      ['updateInventory', status],
    ])
  })

  /** Opens the page and its panel. */
  const openPanel = async () => {
    await open()
    await page.getByText('Pet 1: 4').waitFor()
    await page.getByRole('button', { name: 'Sandbox panel' }).click()
    await page.getByText('60 of 60 left').or(page.getByText('59 of 60 left')).waitFor()
  }
})

function countRequests(page: Page): Promise<number | undefined> {
  return page.evaluate(() => window.petstoreSandbox?.world.requests.count('listInventory'))
}

/** Launches the installed Chromium, otherwise the browser that Playwright has downloaded. */
function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) return chromium.launch()
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
