// Sends GET requests to a handler in this process. Arguments: the kind of handler, the number of
// pets, and the file of the package's entry point.
import { pathToFileURL } from 'node:url'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { answerParent, readCpu } from './answer.js'
import { createScenario } from './pets.js'

const [kind, pets, file] = process.argv.slice(2)
const url = 'https://api.petstore.example/v1/inventory'
const init = { headers: { Authorization: 'Bearer sbx_enterprise' } }

const { createSandbox } = await import(pathToFileURL(file).href)
const sandbox = await createSandbox({ scenario: createScenario(Number(pets)) })
const first = await sandbox.fetch(url, init)
const constant = { headers: Object.fromEntries(first.headers), body: await first.text() }
const createResponse = () => new HttpResponse(constant.body, { headers: constant.headers })

/** Each returns a function like `fetch`. */
const kinds = {
  'sandbox through msw': () => intercept(sandbox.handlers),
  'plain msw handler': () => intercept([http.get(url, createResponse)]),
  'sandbox.fetch': () => sandbox.fetch,
  'Request and Response':
    () =>
    async (...args) => {
      const request = new Request(...args)
      return new Response(constant.body, { status: request.url === url ? 200 : 404, ...constant })
    },
}

const send = kinds[kind]()

answerParent('ready', async ({ count }) => {
  const before = readCpu()
  for (let sent = 0; sent < count; sent++) {
    const text = await (await send(url, init)).text()
    if (text.length !== constant.body.length) throw new Error(`unexpected response: ${text}`)
  }
  return (readCpu() - before) / count
})

function intercept(handlers) {
  setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
  return globalThis.fetch
}
