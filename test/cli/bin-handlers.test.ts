import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { start } from './bin-support.js'
import { createDirectory, until } from './support.js'

const moduleUrl = (path: string) => pathToFileURL(path).href
const msw = moduleUrl('node_modules/msw/lib/core/index.mjs')
const library = new URL('../esm/server.js', moduleUrl(bin)).href

/** A handler that fails after it has responded, in both ways that nothing catches. */
const handlers = `
  import { http, HttpResponse } from '${msw}'
  export default [http.get('*/late', () => {
    setTimeout(() => { throw new TypeError('thrown by a \\u001b timer') })
    Promise.reject(new RangeError('rejected later'))
    return new HttpResponse('done')
  })]`

/** Starts a server that prints its URL, and requests the handler. */
async function requestLate(args: readonly string[]) {
  const { child, written, ended } = start(process.execPath, args)
  await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(written.stdout))
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(written.stdout) ?? []
  await fetch(`${url}/late`).then((response) => response.text())
  return { child, written, ended, url }
}

test('serve logs the errors that a user handler causes later, and continues', async () => {
  const directory = await createDirectory({ 'handlers.mjs': handlers })
  const file = join(directory, 'handlers.mjs')
  const { child, written, url } = await requestLate([bin, '--port', '0', '--handlers', file])
  await until(() => written.stderr.includes('rejected later') && written.stderr.includes('timer'))
  expect(written.stderr).toContain('petstore-sandbox: error: thrown by a \\u{1b} timer\n')
  expect(written.stderr).toContain('petstore-sandbox: error: rejected later\n')
  expect(written.stderr).toMatch(/^ {6}at .*handlers\.mjs:/m)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(child.exitCode).toBeNull()
})

test('a server without this protection ends', async () => {
  const main = `
    import { createSandboxServer } from '${library}'
    import handlers from './handlers.mjs'
    const server = await createSandboxServer({ handlers })
    console.log(await server.listen({ port: 0 }))`
  const directory = await createDirectory({ 'handlers.mjs': handlers, 'main.mjs': main })
  const { ended } = await requestLate([join(directory, 'main.mjs')])
  expect(await ended).toEqual([1, null])
})
