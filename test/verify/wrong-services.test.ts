import { describe, expect, test } from 'vitest'
import { wrongServices } from '../../scripts/fidelity/wrong-services.js'
import { allChecks } from '../../src/verify/run.js'
import type { Freedoms } from './honest-service.js'
import { idsOf, verifyHonest, verifySandbox, verifyWrong } from './support.js'

describe('the checks', () => {
  test.each(wrongServices.map((service) => [service.does, service] as const))(
    'find a service that %s',
    async (_, service) => {
      const run = await verifyWrong(service)
      const { check, companions = [] } = service
      expect(idsOf(run, 'deviates').toSorted()).toEqual([check, ...companions].toSorted())
    },
  )

  test.each([
    'sbx_free',
    'sbx_free_int64-ids',
    'sbx_free_empty-store',
    'sbx_free_sunset-passed',
    'sbx_free_low-stock',
  ])('find nothing in the correct service with the key %s', async (key) => {
    const run = await verifySandbox({ key })
    expect(idsOf(run, 'deviates')).toEqual([])
    expect(run.stopped).toBeUndefined()
    expect(run.unrestored).toEqual([])
  })

  test.each(
    wrongServices
      .filter(({ urls }) => urls === undefined)
      .map((service) => [service.does, service] as const),
  )('find an Express service that %s', async (_, { check, plan, start }) => {
    const options = plan ? { plan, key: `sbx_${plan}` } : {}
    const own = allChecks.filter(({ id }) => id === check)
    // Those of every response need the requests of the others.
    const checks = own.some(({ prepare }) => prepare) ? allChecks : own
    const found = await verifyHonest({}, { ...options, checks }, start())
    expect(idsOf(found, 'deviates')).toContain(check)
  })

  test.each<[string, Freedoms]>([
    ['does what the sandbox does', {}],
    ['accepts quantities from 0 to 5', { minimum: 0, maximum: 5 }],
    ['accepts quantities from 4 to 100', { minimum: 4, maximum: 100 }],
    ['accepts quantities of 1 to 4', { minimum: 1, maximum: 4 }],
    ['does not charge rejected requests', { refunds: true }],
    ['has a limit for each operation', { splits: true }],
    ['sends Retry-After as a date', { datesRetry: true }],
    ['rejects unknown fields', { isStrict: true }],
    ['sells a pet without stock', { sells: true }],
  ])('find nothing in an honest Express service that %s', async (_, freedoms) => {
    const run = await verifyHonest(freedoms)
    expect(run.results.filter(({ outcome }) => outcome === 'deviates')).toEqual([])
    expect(run).toMatchObject({ stopped: undefined, unrestored: [] })
  })

  test('have a wrong service each', () => {
    const found = new Set(wrongServices.map(({ check }) => check))
    expect(allChecks.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([])
  })

  const writing = allChecks.filter(({ writes }) => writes !== undefined)
  test.each(writing.map((check) => [check.id, check] as const))(
    '%s sends no more requests than it states, besides the first and those that restore',
    async (id, check) => {
      const key = id === 'update-inventory.int64' ? 'sbx_free_int64-ids' : 'sbx_free'
      const { results, requests } = await verifySandbox({ key, checks: [check] })
      expect(results).toMatchObject([{ outcome: 'agrees' }])
      // The first request of a run tells whether there is a service.
      expect(requests).toBeLessThanOrEqual(1 + Number(check.writes) + 2)
    },
  )
})
