import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { click, startBrowser, visit, waitForStock } from './browser.ts'
import { root, startNext } from './next.ts'

const env = {
  PETSTORE_MOCK: '1',
  PETSTORE_URL: 'https://api.petstore.example/v1',
  PETSTORE_API_KEY: 'sbx_free',
}

test('a sandbox in the process continues after a hot reload', async (t) => {
  const url = await startNext(t, ['dev'], env)
  const browser = await startBrowser(t)
  const before = await visit(browser, url)
  await waitForStock(before, 4)
  await click(before, 'Sell one')
  await waitForStock(before, 3)

  await editHeading(t, url, 'app/page.tsx')
  const after = await visit(browser, url)
  await waitForStock(after, 3)
  await click(after, 'Sell one')
  await waitForStock(after, 2)
})

test('with msw 2, requests reach the network after a hot reload', async (t) => {
  const url = await startNext(t, ['dev', 'test/msw-2'], env)
  const browser = await startBrowser(t)
  await (await visit(browser, url)).getByText('200').waitFor()

  await editHeading(t, url, 'test/msw-2/app/page.js')
  await (await visit(browser, url)).getByText('ENOTFOUND').waitFor()
})

/** Edits the heading of a page until the end of the test. Resolves when the server responds with it. */
async function editHeading(t: TestContext, url: string, path: string): Promise<void> {
  const file = join(root, path)
  const content = await readFile(file, 'utf8')
  t.after(() => writeFile(file, content))
  await writeFile(file, content.replace('Stock', 'Stock, edited'))
  for (let page = ''; !page.includes('Stock, edited'); ) {
    page = await (await fetch(url)).text()
  }
}
