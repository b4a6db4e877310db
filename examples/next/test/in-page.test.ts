import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { click, startBrowser, visit, waitForStock } from './browser.ts'
import { root, runNext, startNext } from './next.ts'

for (const bundler of ['--turbopack', '--webpack']) {
  test(`a sandbox in the page: next dev ${bundler}`, async (t) => {
    const url = await startNext(t, ['dev', bundler], {})
    const page = await visit(await startBrowser(t), `${url}/in-page?scenario=low-stock`)
    await waitForStock(page, 1)
    await click(page, 'Add one')
    await waitForStock(page, 2)
    await page.reload()
    await waitForStock(page, 2)
    await page.getByRole('button', { name: 'Sandbox panel' }).waitFor()
  })
}

test('a production build contains no sandbox, and sends the requests to the service', async (t) => {
  await runNext(['build'])
  const folder = join(root, '.next/static')
  const files = await readdir(folder, { recursive: true })
  const scripts = files.filter((name) => name.endsWith('.js'))
  assert.ok(scripts.length > 0)
  for (const name of scripts) {
    const code = await readFile(join(folder, name), 'utf8')
    assert.doesNotMatch(code, /petstore-sandbox|mockServiceWorker|rate-limited|sbx_/)
  }

  const url = await startNext(t, ['start'], {})
  const page = await (await startBrowser(t)).newPage()
  await page.route('https://api.petstore.example/v1/inventory', (route) => {
    const headers = { 'Access-Control-Allow-Origin': '*' }
    return route.fulfill({ headers, json: [{ petId: 1, quantity: 40, status: 'available' }] })
  })
  await page.goto(`${url}/in-page`)
  await waitForStock(page, 40)
})
