import { fileURLToPath } from 'node:url'
import { addresses, defineTrial } from '../trial.js'

const scenario = fileURLToPath(new URL('../listed-keys.json', import.meta.url))
const listed = Array.from(
  { length: 20 },
  (_, index) => `acme-live-key-${String(index).padStart(4, '0')}`,
)
const [ownKey = ''] = listed

export const listedKeys = defineTrial({
  name: 'listed-keys',
  title:
    'With a key secret, a client reads the snapshots of a world whose scenario lists 20 API keys, with shared keys and with one of the listed keys.',
  unit: 'snapshots',
  attempts: { small: 20, full: 1_000 },
  server: {
    args: ['--scenario', scenario],
    env: { PETSTORE_SANDBOX_KEY_SECRET: 'a secret of at least 32 characters' },
  },
  async run(context) {
    const client = context.client(addresses.attacker)
    const keys = ['sbx_free', 'sbx_enterprise', 'sbx_free_listed-keys', ownKey]
    const read = new Set<string>()
    for (let index = 0; index < context.attempts && !context.ending.aborted; index++) {
      const apiKey = keys[index % keys.length]
      const { text } = await client.send({ path: '/sandbox/snapshot', apiKey })
      for (const key of listed) if (key !== apiKey && text.includes(key)) read.add(key)
      context.count()
    }
    for (const key of read) context.violation(`the snapshot contains the key ${key}`)
    context.note(`${read.size} of ${listed.length} listed keys were readable.`)
  },
})
