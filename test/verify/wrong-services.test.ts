import { describe, expect, test } from 'vitest'
import { allChecks } from '../../src/verify/checks.js'
import { idsOf, verifySandbox, verifyWrong } from './support.js'
import { wrongServices } from './wrong-services.js'

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
    'sbx_pro',
    'sbx_pro_int64-ids',
    'sbx_pro_empty-store',
    'sbx_pro_sunset-passed',
    'sbx_pro_low-stock',
  ])('find nothing in the correct service with the key %s', async (key) => {
    const run = await verifySandbox({ key })
    expect(idsOf(run, 'deviates')).toEqual([])
    expect(run.stopped).toBeUndefined()
    expect(run.unrestored).toEqual([])
  })

  test('have a wrong service each, except those of other plans', () => {
    const found = new Set(wrongServices.map(({ check }) => check))
    const ids = allChecks.filter(({ id }) => !found.has(id)).map(({ id }) => id)
    expect(ids).toEqual(['limits.plan-free', 'limits.plan-business'])
  })
})
