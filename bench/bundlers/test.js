import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundlers } from './bundlers.js'
import { conditions } from './conditions.js'

/** A scenario's name and the name of msw's worker script. */
const sandboxCode = /rate-limited|mockServiceWorker/

const sumBytes = (chunks) => chunks.reduce((sum, { code }) => sum + code.length, 0)

for (const [name, bundle] of Object.entries(bundlers)) {
  for (const { page } of conditions.filter(({ isRemoved }) => isRemoved)) {
    test(`${name} removes the sandbox of the page ${page} from the production build`, async () => {
      const chunks = await bundle(page, 'production')
      assert.equal(chunks.length, 1)
      assert.match(chunks[0].code, /Shop/)
      assert.ok(sumBytes(chunks) < 500, `expected less than 500 bytes, found ${sumBytes(chunks)}`)
    })
  }

  test(`${name} includes the sandbox in other builds`, async () => {
    const chunks = await bundle('inline', 'development')
    assert.ok(chunks.some(({ code }) => sandboxCode.test(code)))
    const eager = chunks.filter(({ isEager }) => isEager)
    assert.ok(sumBytes(eager) < 10_000, 'the sandbox must be loaded by a dynamic import')
  })
}

for (const { page } of conditions.filter(({ isRemoved }) => !isRemoved)) {
  test(`a bundler keeps code of the sandbox in the production build of the page ${page}`, async () => {
    const kept = []
    for (const bundle of Object.values(bundlers))
      kept.push(sumBytes(await bundle(page, 'production')))
    assert.ok(Math.max(...kept) > 100_000, `expected more than 100,000 bytes, found ${kept}`)
  })
}
