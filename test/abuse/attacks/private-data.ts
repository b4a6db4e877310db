import { type Client, toRawRequest } from '../client.js'
import { addresses, defineTrial, type Trial, type TrialContext } from '../trial.js'

export const privateData = definePrivateData({
  name: 'private-data',
  setup: 'With a key secret,',
  env: {
    PETSTORE_SANDBOX_KEY_SECRET: 'a secret of at least 32 characters',
    PETSTORE_SANDBOX_KEY_ISSUING: 'open',
  },
  kinds: ['header', 'authorization', 'cookie', 'query', 'body', 'shared'],
})

/** Without a key secret, everyone with a shared key may read the bodies that it has sent. */
export const privateDataWithoutSecret = definePrivateData({
  name: 'private-data-without-secret',
  setup: 'Without a key secret,',
  env: {},
  kinds: ['header', 'authorization', 'cookie', 'query', 'body'],
})

interface PrivateData extends Pick<Trial, 'name'> {
  readonly setup: string
  readonly env: Readonly<Record<string, string>>
  /**
   * The kinds of secrets that must not be readable. `body`: of a request without a valid key, or
   * with the key of a partner. `shared`: body of a request with a shared key.
   */
  readonly kinds: readonly string[]
}

/** Keys of the requests with secrets, in addition to the key of a partner. Undefined: no key. */
const unsafeKeys = [undefined, 'sbx_free', 'sbx_gold', 'acme-secret-key', 'sbx_free_unknown_x']

/** Keys that everybody knows. */
const publicKeys = [
  'sbx_free',
  'sbx_pro',
  'sbx_enterprise',
  'sbx_free_default',
  'sbx_free_low-stock',
]

const readable = [
  ...['', '/requests', '/requests?unmatched=true', '/journal', '/snapshot', '/messages'],
  '/report',
]

function definePrivateData({ name, setup, env, kinds }: PrivateData): Trial {
  return defineTrial({
    name,
    title: `${setup} requests without a key, with invalid keys, with a shared key and with the key of a partner carry secrets in headers, cookies, query and body. Another client searches everything that it can read with the shared keys and a key of its own, and the log.`,
    unit: 'requests',
    attempts: { small: 60, full: 1_000 },
    server: { env },
    async run(context) {
      const secrets: string[] = []
      const victim = context.client(addresses.partner)
      const victimKeys = [...unsafeKeys, await victim.createKey('free', 'default')]
      const attacker = context.client(addresses.attacker)
      const keys = [...publicKeys, await attacker.createKey('free', 'default')]
      const readEvents = openEventStreams(context, keys)
      for (let index = 0; index < context.attempts && !context.ending.aborted; index++) {
        // Each key sends requests of all three kinds.
        const apiKey = victimKeys[Math.floor(index / 3) % victimKeys.length]
        await sendSecrets(victim, apiKey, index, (kind) => {
          const secret = `${kind}-${context.random.string(20)}`
          secrets.push(secret)
          return secret
        })
        context.count()
      }
      const read = await readAll(attacker, keys)
      // The log is a pipe.
      await context.pause(200)
      const found = [read, readEvents(), context.server.log].join('\n')
      const checked = secrets.filter((secret) => kinds.some((kind) => secret.startsWith(kind)))
      const shown = checked.filter((secret) => found.includes(secret))
      for (const secret of shown) context.violation(`${secret} is readable`)
      context.note(`${shown.length} of ${checked.length} secrets were readable.`)
    },
  })
}

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
  const query = `access_token=${toSecret('query')}`
  if (index % 3 === 0) await client.send({ path: `/v1/inventory?${query}`, apiKey, headers })
  else if (index % 3 === 1) await client.send({ path: `/v1/stock?${query}`, apiKey, headers })
  else {
    const body = { message: toSecret(apiKey === 'sbx_free' ? 'shared' : 'body') }
    const path = `/quickstart/messages?${query}`
    await client.send({ method: 'POST', path, apiKey, headers, body })
  }
}

/** Reads everything that the keys can read. */
async function readAll(client: Client, keys: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const apiKey of keys) {
    for (const base of ['/sandbox', '/staging/sandbox']) {
      for (const path of readable) {
        texts.push((await client.send({ path: `${base}${path}`, apiKey })).text)
      }
    }
  }
  return texts.join('\n')
}

/** Opens the event streams of the keys. Returns a function that returns what they sent. */
function openEventStreams(context: TrialContext, keys: readonly string[]): () => string {
  const chunks: Buffer[] = []
  for (const apiKey of keys) {
    const socket = context.socket(addresses.attacker)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(toRawRequest('GET /sandbox/events', [`Authorization: Bearer ${apiKey}`]))
  }
  return () => Buffer.concat(chunks).toString('utf8')
}
