// Takes the pictures of the documentation: npm run pictures. They show the built console and the
// storefront of examples/storefront, in light and dark colours. Their clocks
// start at a fixed time.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { createSandboxServer } from '../dist/esm/server.js'

const repository = new URL('../', import.meta.url)
const time = Date.UTC(2026, 0, 15, 9, 30)
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const argumentsFile = new URL('test/browser/support/chromium-arguments.json', repository)
const args = JSON.parse(await readFile(argumentsFile, 'utf8'))

const browser = await chromium.launch({ executablePath, args })
try {
  await takeConsole()
  await takeStorefront()
} finally {
  await browser.close()
}

/** The console, with the journal entry of a rejected request. */
async function takeConsole() {
  const server = await createSandboxServer({ now: () => time })
  const url = await server.listen({ port: 0 })
  await sendRequests(url)
  await take('console', `${url}/#journal`, async (page) => {
    const entry = page.locator('summary', { hasText: '429' })
    await entry.click()
    await page.getByRole('heading', { name: 'Response', exact: true }).waitFor()
    // Below what stays at the top.
    await entry.evaluate((line) => scrollTo(0, line.getBoundingClientRect().top + scrollY - 160))
  })
  await server.close()
}

/** Requests with different results, one of which exceeds the limit. */
async function sendRequests(url) {
  const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
  const send = (method, path, body) =>
    fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
  await send('GET', '/v1/inventory')
  await send('GET', '/v1/pets/7')
  await send('PATCH', '/sandbox/quota', { minute: { remaining: 0 } })
  await send('GET', '/v1/inventory')
  await send('PATCH', '/sandbox/quota', { minute: { used: 3 } })
  await send('POST', '/quickstart/messages', { message: 'We need more goldfish.' })
  await send('PATCH', '/v1/inventory/3', { quantity: -4 })
  await send('PATCH', '/v1/inventory/7', { quantity: 38 })
}

/** The storefront, with the panel. */
async function takeStorefront() {
  const outDir = await mkdtemp(join(tmpdir(), 'petstore-pictures-'))
  const config = {
    configFile: fileURLToPath(new URL('examples/storefront/vite.config.ts', repository)),
    // Contains the worker script of msw.
    publicDir: fileURLToPath(new URL('node_modules/msw/lib', repository)),
    logLevel: 'error',
  }
  await build({ ...config, build: { outDir, emptyOutDir: true } })
  const server = await preview({
    ...config,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const { port } = server.httpServer.address()
  await take('storefront', `http://127.0.0.1:${port}/`, async (page) => {
    await page.getByLabel('Stock of Bubbles').waitFor()
    await page.getByRole('button', { name: /^Sandbox panel/ }).click()
    await page.getByRole('button', { name: 'Exhaust the minute' }).click()
    // A notice stays while the pointer is on it.
    await page.mouse.move(0, 0)
    await page.getByPlaceholder('Its number').fill('7')
    await page.getByPlaceholder('Its number').press('Enter')
    await page.getByRole('main').getByRole('alert').waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByText('The minute window is exhausted.').waitFor({ state: 'hidden' })
  })
  await server.close()
  await rm(outDir, { recursive: true })
}

/** Takes a picture in each colour scheme: docs/<name>.png and docs/<name>-dark.png. */
async function take(name, url, prepare) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({
      colorScheme,
      // Legible in a column of 800 px.
      viewport: { width: 800, height: 560 },
      deviceScaleFactor: 1.5,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await page.clock.install({ time })
    await page.goto(url)
    await prepare(page)
    const suffix = colorScheme === 'dark' ? '-dark' : ''
    const path = fileURLToPath(new URL(`docs/${name}${suffix}.png`, repository))
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    await page.close()
  }
}
