import type { Client } from '../client.js'
import { addresses, defineTrial, type TrialContext } from '../trial.js'

/** Keys whose requests other clients must not see. Undefined: a request without a key. */
const victimKeys = [undefined, 'sbx_free', 'sbx_gold', 'acme-secret-key', 'sbx_free_unknown_x']

/** Keys that everybody knows. */
const publicKeys = [
  'sbx_free',
  'sbx_pro',
  'sbx_enterprise',
  'sbx_free_default',
  'sbx_free_low-stock',
]

const readable = ['', '/requests', '/requests?unmatched=true', '/snapshot', '/messages']

export const privateData = defineTrial({
  name: 'private-data',
  title:
    'With a key secret, requests carry secrets in headers, cookies, query and body; another client searches everything that it can read with the shared keys, and the log.',
  unit: 'requests',
  attempts: { small: 60, full: 1_000 },
  server: { env: { PETSTORE_SANDBOX_KEY_SECRET: 'a secret of at least 32 characters' } },
  async run(context) {
    const secrets = new Set<string>()
    const victim = context.client(addresses.partner)
    const stranger = context.client(addresses.attacker)
    const stream = readEvents(context)
    for (let index = 0; index < context.attempts && !context.ending.aborted; index++) {
      await sendSecrets(victim, victimKeys[index % victimKeys.length], index, (kind) => {
        const secret = `${kind}-${context.random.string(20)}`
        secrets.add(secret)
        return secret
      })
      context.count()
    }
    const found = [await readAll(stranger), stream(), context.server.log].join('\n')
    for (const kind of ['header', 'authorization', 'cookie', 'query', 'body']) {
      const shown = [...secrets].filter(
        (secret) => secret.startsWith(kind) && found.includes(secret),
      )
      if (shown.length > 0) context.violation(`${shown.length} values of kind ${kind} are readable`)
    }
    const total = [...secrets].filter((secret) => found.includes(secret)).length
    context.note(`${total} of ${secrets.size} secret values were readable.`)
  },
})

/** Sends a request with a secret in each of its parts. */
async function sendSecrets(
  client: Client,
  apiKey: string | undefined,
  index: number,
  toSecret: (kind: string) => string,
): Promise<void> {
  const headers = {
    'X-Customer': toSecret('header'),
    'X-Session-Token': toSecret('header'),
    Cookie: `session=${toSecret('cookie')}`,
    ...(apiKey === undefined && { Authorization: `Basic ${toSecret('authorization')}` }),
  }
  const body = JSON.stringify({ message: toSecret('body') })
  const query = `access_token=${toSecret('query')}`
  if (index % 3 === 0) await client.send({ path: `/v1/inventory?${query}`, apiKey, headers })
  else if (index % 3 === 1) await client.send({ path: `/v1/stock?${query}`, apiKey, headers })
  else {
    const path = `/quickstart/messages?${query}`
    await client.send({ method: 'POST', path, apiKey, headers, body })
  }
}

/** Reads everything that the shared keys can read. */
async function readAll(client: Client): Promise<string> {
  const texts: string[] = []
  for (const apiKey of publicKeys) {
    for (const base of ['/sandbox', '/staging/sandbox']) {
      for (const path of readable) {
        texts.push((await client.send({ path: `${base}${path}`, apiKey })).text)
      }
    }
  }
  return texts.join('\n')
}

/** Opens the event streams of the shared keys. Returns a function that returns what they sent. */
function readEvents(context: TrialContext): () => string {
  const chunks: Buffer[] = []
  for (const apiKey of publicKeys) {
    const socket = context.socket(addresses.attacker)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(
      `GET /sandbox/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    )
  }
  return () => Buffer.concat(chunks).toString('utf8')
}
