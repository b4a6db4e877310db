import { describe, expect, it } from 'vitest'
import { ControlClient, type Fetch } from '../../src/console/client/client.js'
import { toFailure } from '../../src/console/client/failure.js'
import { followJournal } from '../../src/console/client/follow-journal.js'
import type { JournalRow } from '../../src/console/client/shapes.js'
import type { Environment } from '../../src/contract/addresses.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'

const origin = 'https://api.petstore.example'

async function open(
  apiKey = 'sbx_free',
  environment: Environment = 'production',
): Promise<{ sandbox: InProcessSandbox; steering: ControlClient }> {
  const sandbox = await createSandbox({ stagingControlUrl: `${origin}/staging/sandbox` })
  const steering = new ControlClient(origin, { apiKey, environment }, sandbox.fetch)
  return { sandbox, steering }
}

const pet = { petId: '9007199254740993', name: 'Big', quantity: 2 }

/** What each function of the page does to the sandbox, and what it gives. */
const steps: readonly [
  name: string,
  step: (steering: ControlClient) => Promise<unknown>,
  gives: unknown,
][] = [
  ['putScenario', (steering) => steering.putScenarios(['low-stock', 'flaky']), {}],
  ['reset', (steering) => steering.reset(), { scenario: 'default' }],
  [
    'changeClock',
    (steering) => steering.changeClock({ now: '2030-01-01T00:00:00Z', frozen: true }),
    { now: '2030-01-01T00:00:00.000Z', frozen: true },
  ],
  [
    'changeQuota',
    (steering) => steering.changeQuota({ minute: { remaining: 1 } }),
    { minute: { remaining: 1 } },
  ],
  ['replaceFaults', (steering) => steering.replaceFaults([{ type: 'reset' }]), [{ type: 'reset' }]],
  ['clearFaults', (steering) => steering.clearFaults(), []],
  ['clearRequests', (steering) => steering.clearRequests(), { removed: 0 }],
  ['addPet', (steering) => steering.addPet(pet), pet],
  ['changePet', (steering) => steering.changePet(7, { quantity: 1 }), { petId: 7, quantity: 1 }],
  ['removePet', (steering) => steering.removePet(7), { petId: 7 }],
  [
    'changeOrder',
    (steering) => steering.changeOrder(1001, { status: 'placed' }),
    { id: 1001, status: 'placed' },
  ],
  ['removeOrder', (steering) => steering.removeOrder(1001), { id: 1001 }],
  ['createKey', (steering) => steering.createKey('pro', 'low-stock'), {}],
  ['overview', (steering) => steering.overview(), { scenario: 'default' }],
]

describe('Steering', () => {
  it.each(steps)('%s does what the sandbox offers', async (_, step, gives) => {
    const { steering } = await open()
    expect(await step(steering)).toMatchObject(gives as object)
  })

  it('lists scenarios, pets, orders, messages, faults and requests', async () => {
    const { steering, sandbox } = await open()
    await sandbox.fetch(`${origin}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
    const sizes = await Promise.all([
      steering.scenarios(),
      steering.pets(),
      steering.orders(),
      steering.messages(),
      steering.faults(),
      steering.requests(10),
    ])
    expect(sizes.map((list) => list.length)).toEqual([expect.any(Number), 12, 5, 0, 0, 1])
    expect(sizes[0].map(({ name }) => name)).toContain('low-stock')
  })

  it('steers staging apart from production', async () => {
    const { steering, sandbox } = await open('sbx_free', 'staging')
    await steering.removePet(7)
    expect((await sandbox.worldFor('sbx_free', 'staging')).db.petCount).toBe(11)
    expect(sandbox.world.db.petCount).toBe(12)
  })

  it('starts a world from its own snapshot, to the byte', async () => {
    const { steering } = await open('sbx_free_int64-ids')
    await steering.changeClock({ frozen: true })
    const text = await steering.snapshot('copy')
    await steering.putScenarioFile(text)
    const { description: _, ...again } = JSON.parse(await steering.snapshot('copy'))
    const { description: __, ...first } = JSON.parse(text)
    expect(again).toEqual(first)
  })

  it.each([
    ['sbx_free_nonsense', 'refused', /unknown scenario "nonsense"/],
    ['sbx_revoked', 'refused', /revoked/],
  ])('of the key %s is %s', async (apiKey, kind, message) => {
    const { steering } = await open(apiKey)
    const failure = toFailure(await steering.overview().catch((error: unknown) => error))
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) })
  })

  it('says where a scenario file does not fit, and leaves the world as it was', async () => {
    const { steering } = await open()
    const text = '{"name":"mine","pets":[{"petId":1,"name":"A","quantity":0.5}]}'
    const failure = toFailure(await steering.putScenarioFile(text).catch((error: unknown) => error))
    expect(failure).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('pets[0].quantity'),
    })
    expect(await steering.overview()).toMatchObject({ scenario: 'default' })
  })

  it('is unreachable when nobody answers', async () => {
    const nobody: Fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    const steering = new ControlClient(
      origin,
      { apiKey: 'sbx_free', environment: 'production' },
      nobody,
    )
    const failure = toFailure(await steering.overview().catch((error: unknown) => error))
    expect(failure.kind).toBe('unreachable')
  })
})

describe('followJournal', () => {
  it('tells of each call that reaches the world from its opening on', async () => {
    const { steering, sandbox } = await open()
    const row = await new Promise<JournalRow>((resolve) => {
      const stop = followJournal(steering, {
        onOpen() {
          const headers = { Authorization: 'Bearer sbx_free' }
          void sandbox.fetch(`${origin}/v1/pets/7`, { headers })
        },
        onRow(first) {
          stop()
          resolve(first)
        },
        onEnd: () => {},
      })
    })
    expect(row).toMatchObject({ operation: 'getPet', response: { status: 200 } })
  })

  it('gives up when the key is refused', async () => {
    const { steering } = await open('sbx_revoked')
    const kind = await new Promise<string>((resolve) => {
      followJournal(steering, {
        onOpen: () => {},
        onRow: () => {},
        onEnd: (failure) => resolve(failure.kind),
      })
    })
    expect(kind).toBe('refused')
  })
})
