// Prints the CPU time in µs of one fetch that msw intercepts, with the reading of its body. The argument
// is the kind of handler.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { createScenario } from '../pets.js'

const url = 'https://api.petstore.example/v1/inventory'
const init = { headers: { Authorization: 'Bearer sbx_enterprise' } }
/** After the warm-up, V8 has optimized the code of msw and of the sandbox. */
const [warmUp, count] = [5_000, 2_000]

const sandbox = await createSandbox({ scenario: createScenario(100) })
const first = await sandbox.fetch(url, init)
const headers = Object.fromEntries(first.headers)
const body = await first.text()
const constant = http.get(url, () => new HttpResponse(body, { headers }))

const handlers = process.argv[2] === 'sandbox' ? sandbox.handlers : [constant]
setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
await send(warmUp)
const before = process.cpuUsage()
await send(count)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / count)

async function send(number) {
  for (let sent = 0; sent < number; sent++) {
    const text = await (await fetch(url, init)).text()
    if (text.length !== body.length) throw new Error(`unexpected response: ${text}`)
  }
}
