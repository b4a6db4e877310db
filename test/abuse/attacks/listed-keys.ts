import { fileURLToPath } from 'node:url'
import type { Client } from '../client.js'
import { addresses, defineTrial, type TrialContext } from '../trial.js'

const scenario = fileURLToPath(new URL('../listed-keys.json', import.meta.url))
const listed = Array.from(
  { length: 20 },
  (_, index) => `acme-live-key-${String(index).padStart(4, '0')}`,
)
const [ownKey = ''] = listed

export const listedKeys = defineTrial({
  name: 'listed-keys',
  title:
    'With a key secret, a client reads the snapshots of a world whose scenario lists 20 API keys, with shared keys, issued keys and one of the listed keys. With the others, it changes that world and claims a listed key for its own.',
  unit: 'snapshots',
  attempts: { small: 20, full: 1_000 },
  server: {
    args: ['--scenario', scenario],
    env: {
      PETSTORE_SANDBOX_KEY_SECRET: 'a secret of at least 32 characters',
      PETSTORE_SANDBOX_KEY_ISSUING: 'open',
    },
  },
  async run(context) {
    const client = context.client(addresses.attacker)
    const others = [
      ...['sbx_free', 'sbx_enterprise', 'sbx_free_listed-keys'],
      await client.createKey('free', 'listed-keys'),
      await client.createKey('free', 'default'),
    ]
    const keys = [...others, ownKey]
    const read = new Set<string>()
    for (let index = 0; index < context.attempts && !context.ending.aborted; index++) {
      const apiKey = keys[index % keys.length]
      const { text } = await client.expect({ path: '/sandbox/snapshot', apiKey })
      for (const key of listed) if (key !== apiKey && text.includes(key)) read.add(key)
      context.count()
    }
    for (const key of read) context.violation(`the snapshot contains the key ${key}`)
    context.note(`${read.size} of ${listed.length} listed keys were readable.`)
    await control(context, client, others)
  },
})

/** Claims a listed key with keys that are not listed, and tries to change the world of the listed ones. */
async function control(
  context: TrialContext,
  client: Client,
  keys: readonly string[],
): Promise<void> {
  const claim = { name: 'claim', apiKeys: [{ key: listed[1], plan: 'free' }] }
  for (const apiKey of keys) {
    const put = { method: 'PUT', path: '/sandbox/scenario', apiKey, body: claim }
    const { status } = await client.send(put)
    if (status < 400) context.violation(`${apiKey} has claimed a listed key: ${status}`)
    // An issued key controls its own world of another scenario.
    if (apiKey.startsWith('sbx_free_default_')) continue
    const reset = await client.send({ method: 'POST', path: '/sandbox/reset', apiKey })
    if (reset.status < 400) context.violation(`${apiKey} has reset the world: ${reset.status}`)
  }
  for (const apiKey of listed.slice(0, 2)) {
    const { status } = await client.send({ method: 'POST', path: '/sandbox/reset', apiKey })
    if (status !== 200) context.violation(`the listed key ${apiKey} controls no world: ${status}`)
  }
}
