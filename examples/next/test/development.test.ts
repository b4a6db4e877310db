import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { click, startBrowser, visit, waitForStock } from './browser.ts'
import { root, startNext } from './next.ts'

for (const bundler of ['--turbopack', '--webpack']) {
  test(`a sandbox in the process continues after edits: next dev ${bundler}`, async (t) => {
    const url = await startNext(t, ['dev', bundler], {
      PETSTORE_MOCK: '1',
      PETSTORE_URL: 'http://127.0.0.1:0/v1',
      PETSTORE_API_KEY: 'sbx_enterprise_low-stock',
    })
    const page = await visit(await startBrowser(t), url)
    await waitForStock(page, 1)
    await click(page, 'Add one')
    await waitForStock(page, 2)

    const edit = await startEditing(t, url)
    await edit()
    await keepsStock(url, 2)
    await edit()
    await edit()
    await keepsStock(url, 2)

    await page.goto(url)
    await click(page, 'Sell one')
    await waitForStock(page, 1)
  })
}

/** Returns a function that edits the page. It resolves when the server responds with the edited one. */
async function startEditing(t: TestContext, url: string): Promise<() => Promise<void>> {
  const file = join(root, 'app/page.tsx')
  const content = await readFile(file, 'utf8')
  t.after(() => writeFile(file, content))
  let edits = 0
  return async () => {
    edits += 1
    const heading = `Stock, edit ${edits}`
    await writeFile(file, content.replace('Stock', heading))
    for (let page = ''; !page.includes(heading); ) page = await (await fetch(url)).text()
  }
}

/**
 * Checks each second for 20 seconds that the server receives the stock of pet 1 from the sandbox. It
 * restores its own `fetch` up to ten seconds after an edit, which ends interceptions of requests.
 */
async function keepsStock(url: string, quantity: number): Promise<void> {
  for (let second = 0; second < 20; second += 1) {
    await setTimeout(1_000)
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.match(await response.text(), new RegExp(`Pet (?:<!-- -->)?1</th><td>${quantity}</td>`))
  }
}
