import { describe, expect, test } from 'vitest'
import { wrongServices } from '../../scripts/fidelity/wrong-services.js'
import { allChecks } from '../../src/verify/checks.js'
import { idsOf, verifySandbox, verifyWrong } from './support.js'

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

  test('have a wrong service each', () => {
    const found = new Set(wrongServices.map(({ check }) => check))
    expect(allChecks.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([])
  })

  const others = allChecks.filter(({ exhausts }) => !exhausts)
  test.each(others.map((check) => [check.id, check] as const))(
    '%s sends no more requests than it states, besides the first and the one that restores',
    async (_, check) => {
      const { id, plan = 'free' } = check
      const key = id === 'update-inventory.int64' ? 'sbx_free_int64-ids' : `sbx_${plan}`
      const { results, requests } = await verifySandbox({ key, plan, checks: [check] })
      expect(results).toMatchObject([{ outcome: 'agrees' }])
      // The first request of a run tells whether there is a service.
      expect(requests).toBeLessThanOrEqual(1 + check.requests + (check.writes ? 1 : 0))
    },
  )
})
