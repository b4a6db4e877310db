// @vitest-environment node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'petstore-sandbox/connect'
import { type Browser, chromium } from 'playwright-core'
import { build, createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'

const root = join(import.meta.dirname, '..')

test('the production build contains neither the sandbox nor its key', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })

  const result = await build({ root, logLevel: 'warn', build: { write: false } })

  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error('the build must have an output')
  const scripts = output.output.filter((file) => file.type === 'chunk')
  expect(scripts).toHaveLength(1)
  expect(scripts[0]?.code).toContain('https://api.petstore.example/v1')
  expect(scripts[0]?.code).not.toMatch(/petstore-sandbox|sbx_|\/petstore\/v1/)
})

test('the page, its panel and a script use one world', async () => {
  const server = await createServer({ root, logLevel: 'warn', server: { port: 0 } })
  await server.listen()
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    await server.close()
  })
  const url = server.resolvedUrls?.local[0] ?? ''
  // #region connect
  const world = await connect({ url: `${url}petstore`, apiKey: 'sbx_free' })
  await world.db.pets.change('1', { quantity: 31 })
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByText('Pet 1: 31').waitFor()
  // #endregion

  await page.getByRole('button', { name: 'Sandbox panel' }).click()
  await page.getByRole('button', { name: 'Fail the next request' }).click()
  await page.locator('petstore-sandbox-panel .notice').waitFor()
  await page.getByRole('button', { name: 'Sell pet 1', exact: true }).click()
  await page.getByRole('listitem').getByRole('alert').waitFor()
  await page.getByText('Pet 1: 31').waitFor()
  expect(await world.requests.count('updateInventory', { status: 503 })).toBe(1)

  await world.use('rate-limited')
  await page.reload()
  await page.getByText(/Next request in (60|5\d) s/).waitFor()
})

/** Launches the installed Chromium, otherwise the browser that Playwright has downloaded. */
function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) return chromium.launch()
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
