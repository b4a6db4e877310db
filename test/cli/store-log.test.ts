import { expect, test } from 'vitest'
import { observe } from '../../src/cli/serve/log.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { Metrics } from '../../src/transport/http/respond.js'

/** A store whose operations fail while the test says so. */
function createStore() {
  const failing = new Set<string>()
  const operate = (name: string) => async () => {
    if (failing.has(name)) throw new StoreError(`worlds/ cannot be used: ${name}`)
    return true
  }
  const store = { append: operate('append'), load: operate('load'), check: operate('check') }
  const metrics = new Metrics()
  const lines: string[] = []
  const log = {
    notice: (line: string, event = 'notice') => lines.push(`${event}: ${line}`),
    error: (line: string, event = 'error') => lines.push(`${event}: ${line}`),
  }
  // The observed store passes only these operations on in the tests.
  const observed = observe(store as unknown as Store, metrics, log, () => 0)
  const version = { lineage: 'a', number: 1 }
  const calls: Record<string, () => Promise<unknown>> = {
    append: () => observed.append('world', version, { step: 'step' }),
    load: () => observed.load('world'),
    check: () => observed.check(),
  }
  const use = async (...names: string[]) => {
    for (const name of names)
      await calls[name]?.().catch((error) => expect(error).toBeInstanceOf(StoreError))
  }
  return { failing, lines, use }
}

const failed = (name: string) =>
  `storeFailed: the store has failed, and requests are rejected with 503: worlds/ cannot be used: ${name}`
const recovered = 'storeRecovered: the store has recovered'

test('a store that can be read but not written has not recovered', async () => {
  const { failing, lines, use } = createStore()
  failing.add('append')
  await use('append', 'load', 'append', 'check', 'append')
  expect(lines).toEqual([failed('append')])
  failing.clear()
  await use('load', 'append')
  expect(lines).toEqual([failed('append'), recovered])
})

test('each append that another replica has preceded is counted', async () => {
  const results = [true, false, false]
  const store = { append: async () => results.shift() }
  const metrics = new Metrics()
  const log = { notice: () => {}, error: () => {} }
  const observed = observe(store as unknown as Store, metrics, log, () => 0)
  for (let sent = 0; sent < 3; sent++) {
    await observed.append('world', { lineage: 'a', number: 1 }, { step: 'step' })
  }
  expect(metrics.storeConflicts).toBe(2)
  expect(metrics.storeDurations.get('append')?.counts[0]).toBe(3)
})
