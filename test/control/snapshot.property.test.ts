import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Scenario } from '../../src/index.js'
import type { Sandbox } from '../../src/sandbox/sandbox.js'
import { startMs } from '../support/suite.js'
import { anyCommand, type Command, command, createCore, listedKey, send } from './commands.js'

const apiKeys = ['sbx_free', 'sbx_pro', listedKey]

/** A sandbox whose real time a test moves. */
class Place {
  #realMs: number
  readonly sandbox: Promise<Sandbox>

  constructor(realMs: number, scenario: Scenario) {
    this.#realMs = realMs
    this.sandbox = createCore(() => this.#realMs, scenario)
  }

  async run(one: Command): Promise<string> {
    if (one.type === 'request') return send(await this.sandbox, one.request, apiKeys)
    this.#realMs += one.ms
    return ''
  }
}

const start: Scenario = {
  name: 'start',
  extends: 'default',
  apiKeys: [{ key: listedKey, plan: 'business' }],
  plans: { free: { requestsPerMinute: 12, requestsPerDay: 40 }, pro: { requestsPerMinute: 6 } },
  rules: { ban: { rejections: 3 } },
}

/** The snapshot as its file would carry it. */
async function writeDown(place: Place): Promise<Scenario> {
  const world = (await place.sandbox).initialWorld('production')
  return JSON.parse(JSON.stringify(world.snapshot()))
}

const elsewhere = fc.constantFrom(0, 1, 0.7, 86_400_000, -31_536_000_123)

test('a snapshot, loaded elsewhere, answers the same from there on', async () => {
  const histories = fc.array(anyCommand, { maxLength: 30 })
  const futures = fc.array(command, { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(histories, futures, elsewhere, async (history, future, offsetMs) => {
      const first = new Place(startMs, start)
      for (const one of history) await first.run(one)
      const second = new Place(startMs + offsetMs, { name: start.name })
      await (await second.sandbox).initialWorld('production').use(await writeDown(first))
      for (const one of future) {
        expect(await second.run(one)).toBe(await first.run(one))
      }
      const { description: _, ...expected } = await writeDown(first)
      const { description: __, ...found } = await writeDown(second)
      expect(found).toEqual(expected)
    }),
    { numRuns: 800, seed: 20_260_115 },
  )
}, 120_000)
