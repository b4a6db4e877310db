import { describe, expect, test } from 'vitest'
import type { Connection, ControlRequest } from '../../../control/support.js'
import { startMs } from '../../../support/suite.js'
import type { ControlSuite } from '../suite.js'

interface Run {
  readonly startedAt: string
  readonly generation: number
}

/** Returns what identifies the run of a world, and checks that the header states it too. */
async function readRun({ control }: Connection, key = 'sbx_free'): Promise<Run> {
  const { json, headers } = await control({ operation: 'getOverview', key })
  const { startedAt, generation } = json as Run // the client validates its shape
  expect(headers.get('Sandbox-World-Generation')).toBe(String(generation))
  return { startedAt, generation }
}

const at = (ms: number) => new Date(startMs + ms).toISOString()

const restarts: readonly [string, (connection: Connection) => Promise<unknown>][] = [
  ['putScenario', ({ control }) => control({ operation: 'putScenario', json: 'default' })],
  ['resetWorld', ({ control }) => control({ operation: 'resetWorld' })],
  ['world.use', ({ sandbox }) => sandbox.world.use('low-stock')],
  ['world.reset', async ({ sandbox }) => sandbox.world.reset()],
  ['sandbox.use', ({ sandbox }) => sandbox.use('low-stock')],
  ['sandbox.reset', async ({ sandbox }) => sandbox.reset()],
]

/** The start and the generation of a world: how a client detects a restart or an eviction. */
export function describeGeneration({ open }: ControlSuite): void {
  describe('the generation of a world', () => {
    test.each(restarts)('increases with %s, and the start is the real time', async (_, restart) => {
      const connection = await open()
      const before = await readRun(connection)
      expect(before.startedAt).toBe(at(0))
      connection.pass(5_000)
      await restart(connection)
      const after = await readRun(connection)
      expect(after.startedAt).toBe(at(5_000))
      expect(after.generation).toBeGreaterThan(before.generation)
    })

    test('increases with two restarts in the same millisecond', async () => {
      const connection = await open()
      await connection.control({ operation: 'resetWorld' })
      const { generation } = await readRun(connection)
      await connection.control({ operation: 'resetWorld' })
      expect((await readRun(connection)).generation).toBeGreaterThan(generation)
    })

    test('increases when an evicted world is created again', async () => {
      const connection = await open()
      const key = 'sbx_free_default_evicted'
      const before = await readRun(connection, key)
      connection.sandbox.reset() // discards all worlds with a label
      // Another replica may create the world. It counts from the real time, too.
      connection.pass(1_000)
      const after = await readRun(connection, key)
      expect(after.generation).toBeGreaterThan(before.generation)
    })

    test('is at least the real time, so that another process continues above it', async () => {
      const { generation } = await readRun(await open({ now: () => startMs + 0.5 }))
      expect(generation).toBeGreaterThanOrEqual(startMs)
      const next = await readRun(await open({ now: () => startMs + 60_000 }))
      expect(next.generation).toBeGreaterThan(generation)
    })

    test('does not change with requests, the clock, faults, data and the journal', async () => {
      const connection = await open()
      const before = await readRun(connection)
      await connection.send({ operation: 'updateInventory' })
      const changes: readonly ControlRequest[] = [
        { operation: 'changeClock', json: { advance: 'P1D' } },
        { operation: 'replaceFaults', json: [{ type: 'reset' }] },
        { operation: 'addPet', json: { petId: 77, name: 'Rex' } },
        { operation: 'clearRequests' },
        { operation: 'putScenario', json: 'low-stok' },
      ]
      for (const change of changes) await connection.control(change)
      expect(await readRun(connection)).toEqual(before)
    })

    test('of the restarted world is on the response that restarted it', async () => {
      const connection = await open()
      const { json, headers } = await connection.control({
        operation: 'putScenario',
        json: 'low-stock',
      })
      const { generation } = await readRun(connection)
      expect(json).toMatchObject({ generation })
      expect(headers.get('Sandbox-World-Generation')).toBe(String(generation))
    })

    test('is on errors of a valid key and on HEAD, and differs between worlds', async () => {
      const connection = await open()
      const { generation } = await readRun(connection)
      const headerOf = async (request: ControlRequest) =>
        Number((await connection.control(request)).headers.get('Sandbox-World-Generation'))
      expect(await headerOf({ operation: 'removePet', path: '/pets/404' })).toBe(generation)
      expect(await headerOf({ operation: 'changeClock', json: { speed: 2 } })).toBe(generation)
      expect(await headerOf({ method: 'HEAD', operation: 'getOverview' })).toBe(generation)
      const other = { operation: 'getOverview', key: 'sbx_free_default_other' } as const
      expect(await headerOf(other)).not.toBe(generation)
    })
  })
}
