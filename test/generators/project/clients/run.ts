// Sends requests with a generated client and prints the results as JSON. Arguments: the name of the
// client, the URL of the sandbox, an API key and the id of a pet.
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: keyof ServiceClient
  readonly servers?: Document['servers']
  readonly responses: Readonly<Record<string, unknown>>
}

const [name = '', sandboxUrl = '', apiKey = '', pet] = process.argv.slice(2)
const petId = Number(pet)
const document: Document = await (await fetch(`${sandboxUrl}/openapi.json`)).json()
const operations = Object.values(document.paths).flatMap((item) =>
  Object.values(item).filter((value) => 'operationId' in value),
)
const sendMessage = operations.find(({ operationId }) => operationId === 'sendMessage')
const options: ClientOptions = { apiKey, messagesUrl: sendMessage?.servers?.[0]?.url ?? '' }
const { create } = await import(`./${name}.js`)
const client: ServiceClient = create(options, document.servers[0]?.url)

const send: Readonly<Record<keyof ServiceClient, () => Promise<Outcome>>> = {
  listInventory: () => client.listInventory(),
  updateInventory: () => client.updateInventory(petId, 5),
  getPet: () => client.getPet(petId),
  listOrders: () => client.listOrders(),
  sendMessage: () => client.sendMessage('Hello'),
}

const outcomes: (Outcome & { operation: string; wanted: number })[] = []
for (const { operationId: operation, responses } of operations) {
  outcomes.push({ operation, wanted: 200, ...(await send[operation]()) })
  for (const wanted of Object.keys(responses).map(Number)) {
    if (wanted < 400) continue
    // After a 421, fetch repeats the request once on another connection.
    await addFault({ type: 'status', status: wanted, operation, atMost: wanted === 421 ? 2 : 1 })
    outcomes.push({ operation, wanted, ...(await send[operation]()) })
  }
}
console.log(JSON.stringify(outcomes))

/** Lets the next request of an operation fail. */
async function addFault(fault: object): Promise<void> {
  const response = await fetch(`${sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fault),
  })
  if (!response.ok) throw new Error(await response.text())
}
