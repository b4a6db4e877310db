import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serve } from './static-server'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** What the stories show. */
const shown = [
  ['default', /^Pet 1available4\+Pet 2available6\+/],
  ['compact', /^Pet 14\+Pet 26\+/],
  ['low-stock', /^Pet 1available1\+Pet 2available0\+/],
  ['empty', /^The store has no pets\.$/],
  ['out-of-requests', /^Too many requests.*\d+ sTry again$/],
  ['banned', /^Key banned.*\d+ sTry again$/],
  ['failing', /^The service has failed.*Try again$/],
] as const

describe.each([
  ['.storybook', 'without an addon'],
  ['.storybook-addon', 'with msw-storybook-addon'],
])('the stories of %s, %s', (configuration) => {
  let url: string
  let browser: BrowserContext

  beforeAll(async () => {
    const output = await mkdtemp(join(tmpdir(), 'petstore-storybook-'))
    const options = ['--config-dir', configuration, '--output-dir', output, '--quiet']
    await run(join(root, 'node_modules/.bin/storybook'), ['build', ...options], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', STORYBOOK_DISABLE_TELEMETRY: '1' },
    })
    const server = await serve(output, '/shop/storybook/')
    url = server.url
    const chrome = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    browser = await chrome.newContext()
    return async () => {
      await chrome.close()
      server.close()
      await rm(output, { recursive: true })
    }
  })

  /** Opens a page of the Storybook, such as `/docs/stock-table--docs`. */
  async function open(path: string) {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    onTestFinished(() => page.close())
    await page.goto(`${url}?path=${path}`)
    return page
  }

  test('one Docs page shows all states', async () => {
    const page = await open('/docs/stock-table--docs')
    for (const [name, text] of shown)
      await expectText(findBlock(page, `stock-table--${name}`), text)
  })

  test('the countdown of a 429 runs', async () => {
    const page = await open('/story/stock-table--out-of-requests')
    const timer = findStory(page).getByRole('timer')
    const before = Number.parseInt((await timer.textContent()) ?? '', 10)
    expect(before).toBeGreaterThan(0)
    await expect
      .poll(async () => Number.parseInt((await timer.textContent()) ?? '', 10), {
        timeout: 120_000,
      })
      .toBeLessThan(before)
  })

  test('a play function moves the clock of its story beyond the limit', async () => {
    const page = await open('/story/stock-table--after-a-minute')
    await expectText(findStory(page), /^Pet 1available4\+/)
  })

  test('a write in one story does not appear in another on the same Docs page', async () => {
    const page = await open('/docs/stock-table--docs')
    const written = findBlock(page, 'stock-table--default')
    const other = findBlock(page, 'stock-table--compact')
    await addOne(written)
    await refresh(other)
    await refresh(written)
    await expectText(other, /^Pet 14\+/)
    await expectText(written, /^Pet 1available5\+/)
  })

  test('a write in one story appears in another that has the same key', async () => {
    const page = await open('/docs/one-key--docs')
    const other = findBlock(page, 'one-key--second')
    await expectText(other, /^Pet 1available4\+/)
    await addOne(findBlock(page, 'one-key--first'))
    await refresh(other)
    await expectText(other, /^Pet 1available5\+/)
  })

  test('stories with the same key have their own states in frames', async () => {
    const page = await open('/docs/frames--docs')
    const first = await findFrame(page, 'frames--default')
    const second = await findFrame(page, 'frames--low-stock')
    await addOne(first)
    await expectText(second, /^Pet 1available1\+/)
    await refresh(first)
    await expectText(first, /^Pet 1available5\+/)
  })

  test('a story keeps its writes while its controls are used', async () => {
    const page = await open('/docs/stock-table--docs')
    const story = findBlock(page, 'stock-table--default--primary')
    await addOne(story)
    await preview(page).getByRole('button', { name: 'Set boolean' }).click()
    await preview(page).getByRole('switch', { name: 'compact' }).press('Space')
    await expectText(story, /^Pet 15\+/)
    await refresh(story)
    await expectText(story, /^Pet 15\+/)
  })

  test('a story starts anew when it is opened again', async () => {
    const page = await open('/story/stock-table--default')
    await addOne(findStory(page))
    await page.locator('#stock-table--compact').click()
    await expectText(findStory(page), /^Pet 14\+/)
    await page.locator('#stock-table--default').click()
    await expectText(findStory(page), /^Pet 1available4\+/)
  })

  test.runIf(configuration === '.storybook')('the toolbar changes the scenario', async () => {
    const page = await open('/story/stock-table--default')
    await expectText(findStory(page), /^Pet 1available4\+/)
    await chooseScenario(page, 'low-stock')
    await expectText(findStory(page), /^Pet 1available1\+/)
    await page.locator('#stock-table--empty').click()
    await expectText(findStory(page), /^Pet 1available1\+/)
    await chooseScenario(page, 'Scenario of the story')
    await expectText(findStory(page), /^The store has no pets\.$/)
  })

  describe.runIf(configuration === '.storybook-addon')('context.msw', () => {
    test('adds a handler for one story', async () => {
      const page = await open('/story/override--disconnected')
      await expectText(findStory(page), /^The service did not respond\.$/)
      await page.locator('#override--connected').click()
      await expectText(findStory(page), /^Pet 1available4\+/)
    })

    test('adds a handler for every story of a Docs page', async () => {
      const page = await open('/docs/override--docs')
      await expectText(findBlock(page, 'override--disconnected'), /^The service did not respond\.$/)
      const responses = findBlock(page, 'override--connected').evaluate(async () => {
        await fetch('https://api.petstore.example/v1/inventory')
      })
      await expect(responses).rejects.toThrow('Failed to fetch')
    })
  })
})

/** Chooses a scenario in the toolbar of Storybook. */
async function chooseScenario(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Scenario of the sandbox' }).click()
  await page.getByRole('option', { name: title }).click()
}

function preview(page: Page) {
  return page.frameLocator('#storybook-preview-iframe')
}

/** The only story of a page. */
function findStory(page: Page): Locator {
  return preview(page).locator('#storybook-root')
}

/** A story of a Docs page. */
function findBlock(page: Page, id: string): Locator {
  return preview(page).locator(`[id="story--${id}-inner"]`)
}

/** The root of a story of a Docs page that is shown in a frame. */
async function findFrame(page: Page, id: string): Promise<Locator> {
  const frame = preview(page).locator(`[id="story--${id}"] iframe`)
  // The frame is loaded when it is visible.
  await frame.scrollIntoViewIfNeeded()
  return frame.contentFrame().locator('#storybook-root')
}

async function expectText(story: Locator, text: RegExp): Promise<void> {
  await expect.poll(() => story.textContent(), { timeout: 120_000 }).toMatch(text)
}

/** Adds one to the stock of pet 1, which is 4. */
async function addOne(story: Locator): Promise<void> {
  await story.getByRole('button', { name: 'Add to pet 1', exact: true }).click()
  await expectText(story, /^Pet 1(available)?5\+/)
}

/** Reads the stock again and waits for the response. */
async function refresh(story: Locator): Promise<void> {
  const response = story.page().waitForResponse(/\/v1\/inventory$/)
  await Promise.all([response, story.getByRole('button', { name: 'Refresh' }).click()])
}
