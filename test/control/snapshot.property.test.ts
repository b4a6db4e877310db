import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import type { Sandbox } from '../../src/engine/sandbox.js'
import type { Scenario } from '../../src/index.js'
import { startMs } from '../support/suite.js'
import { anyCommand, type Command, command, createCore, listedKey, send } from './commands.js'

const apiKeys = ['sbx_free', 'sbx_pro', listedKey]

/** A sandbox whose real time the test advances. */
class Place {
  #realMs: number
  readonly sandbox: Promise<Sandbox>

  constructor(realMs: number, scenario: Scenario) {
    this.#realMs = realMs
    this.sandbox = createCore(() => this.#realMs, scenario)
  }

  async run(step: Command): Promise<string> {
    if (step.type === 'request') {
      const response = await send(await this.sandbox, step.request, apiKeys)
      // It has the number of the journal entry, and a snapshot has no journal.
      return response.replace(/^X-Request-Id\n.*$/m, '')
    }
    this.#realMs += step.ms
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

/** Returns the snapshot as its file would contain it. */
async function toSnapshot(place: Place): Promise<Scenario> {
  const world = (await place.sandbox).worlds.initial('production')
  return JSON.parse(JSON.stringify(world.snapshot()))
}

const elsewhere = fc.constantFrom(0, 1, 0.7, 86_400_000, -31_536_000_123)

test('a world loaded from a snapshot responds as the original world does', async () => {
  const histories = fc.array(anyCommand, { maxLength: 30 })
  const futures = fc.array(command, { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(histories, futures, elsewhere, async (history, future, offsetMs) => {
      const first = new Place(startMs, start)
      for (const step of history) await first.run(step)
      const second = new Place(startMs + offsetMs, { name: start.name })
      await (await second.sandbox).worlds.initial('production').use(await toSnapshot(first))
      for (const step of future) {
        expect(await second.run(step)).toBe(await first.run(step))
      }
      const { description: _, ...expected } = await toSnapshot(first)
      const { description: __, ...found } = await toSnapshot(second)
      expect(found).toEqual(expected)
    }),
    { numRuns: inject('propertyRuns') / 2, seed: 20_260_115 },
  )
})
