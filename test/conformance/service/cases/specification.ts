import { describe, expect, test } from 'vitest'
import type { Check } from '../../../../src/verify/check.js'
import type { Send, SentRequest } from '../../../../src/verify/request.js'
import {
  allChecks,
  type CheckResult,
  type Verification,
  verify,
} from '../../../../src/verify/run.js'
import type { SendRequest } from '../../../support/client.js'
import type { Connection, Suite } from '../../../support/suite.js'
import { type ServiceAddress, serviceAddresses } from '../../../support/transport.js'

/** A key of the service, and the checks that need this one. */
const runs = [
  { plan: 'free', key: 'sbx_free', needs: () => true },
  { plan: 'pro', key: 'sbx_pro', needs: ({ plan }: Check) => plan === 'pro' },
  { plan: 'business', key: 'sbx_business', needs: ({ plan }: Check) => plan === 'business' },
  {
    plan: 'free',
    key: 'sbx_free_int64-ids',
    needs: ({ id }: Check) => id === 'update-inventory.int64',
  },
] as const

/** Every observable statement of the specification: the checks of `petstore-sandbox verify`. */
export function describeSpecification({ open }: Suite): void {
  describe('specification', () => {
    let results: Promise<ReadonlyMap<string, CheckResult>> | undefined

    test.each(allChecks.map(({ id, statement }) => [id, statement] as const))(
      '%s: spec %s',
      async (id) => {
        results ??= verifyAll(open)
        expect((await results).get(id)).toMatchObject({ outcome: 'agrees', findings: [] })
      },
    )
  })
}

async function verifyAll(open: Suite['open']): Promise<ReadonlyMap<string, CheckResult>> {
  const results = new Map<string, CheckResult>()
  for (const { key, plan, needs } of runs) {
    const connection = await open()
    const before = await readInventory(connection, key)
    const checks = allChecks.filter(needs)
    const { stopped, unrestored, ...found } = await verifyConnection(connection, {
      key,
      plan,
      checks,
    })
    expect({ stopped, unrestored }).toEqual({ stopped: undefined, unrestored: [] })
    for (const result of found.results) results.set(result.id, result)
    expect(await readInventory(connection, key), 'the inventory after the checks').toBe(before)
  }
  return results
}

type Options = Pick<Parameters<typeof verify>[0], 'key' | 'plan' | 'checks'>

function verifyConnection(connection: Connection, options: Options): Promise<Verification> {
  const { sandbox, urls, send } = connection
  return verify({
    ...options,
    urls,
    send: toSend(send, urls),
    allowsWrites: true,
    exhausts: true,
    monotonic: () => 0,
    now: () => sandbox.world.clock.now(),
    // Waiting for a limit advances the clock of the world.
    sleep: async (ms) => {
      sandbox.world.clock.advance(ms)
    },
    maxWaitSeconds: 300,
    notify: () => {},
  })
}

/** Sends with the client of the suite, which validates each response against the contract. */
function toSend(send: SendRequest, urls: Readonly<Record<ServiceAddress, string>>): Send {
  return async ({ url, method, headers, body }: SentRequest) => {
    const address = serviceAddresses.find((id) => url.startsWith(`${urls[id]}/`))
    if (!address) throw new Error(`${url} is at no address of the service`)
    const { Authorization: authorization, ...others } = headers
    const credential = authorization === undefined ? { key: null } : { authorization }
    const response = await send({
      address,
      method,
      path: url.slice(urls[address].length),
      ...credential,
      headers: others,
      contentType: null,
      body: body ?? null,
    })
    const received = new Map([...response.headers].map(([name, value]) => [name, value]))
    return { status: response.status, headers: received, text: response.text }
  }
}

/** Reads it with the Enterprise key of the same world, whose quota the checks do not use. */
async function readInventory({ send }: Connection, key: string): Promise<string> {
  const other = key.replace(/^sbx_[a-z]+/, 'sbx_enterprise')
  return (await send({ operation: 'listInventory', key: other })).text
}
