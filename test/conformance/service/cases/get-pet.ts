import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import { type Suite, startMs } from '../../../support/suite.js'

/** Spec §4.3 and §9: GET /pets/{petId}, deprecated with a sunset date. */
export function describeGetPet({ open, assumption }: Suite): void {
  describe('getPet', () => {
    assumption('A03', 'a pet is petId, name, status, category, photoUrls and tags', async () => {
      const { send } = await open()
      const { json } = await send({ operation: 'getPet', petId: '3' })
      expect(json).toEqual({
        petId: 3,
        name: 'Luna',
        status: 'pending',
        category: 'cat',
        photoUrls: [
          'https://images.petstore.example/pets/3/1.jpg',
          'https://images.petstore.example/pets/3/2.jpg',
        ],
        tags: ['siamese'],
      })
    })

    test('assumption A03: additional fields of the scenario are returned unchanged', async () => {
      const additional = {
        weightKg: 3.25,
        chip: null,
        vet: { name: 'Dr. Ødegård', visits: [1, 2] },
      }
      const pets = [{ petId: 1, name: 'Bella', ...additional }]
      const { send } = await open({ scenario: { name: 'additional', pets } })
      const { json } = await send({ operation: 'getPet' })
      expect(json).toMatchObject(additional)
    })

    assumption(
      'A05',
      'it is deprecated 30 days before and sunset 90 days after the start',
      async () => {
        const { send } = await open()
        const { headers } = await send({ operation: 'getPet' })
        const deprecatedAt = Date.UTC(2025, 11, 16) / 1000
        expect(headers.get('Deprecation')).toBe(`@${deprecatedAt}`)
        expect(headers.get('Sunset')).toBe('Wed, 15 Apr 2026 00:00:00 GMT')
      },
    )

    test('assumption A05: the dates and the link are fields of the scenario', async () => {
      const deprecation = {
        deprecatedAt: '2025-05-01T12:00:00Z',
        sunsetAt: 'PT36H',
        link: 'https://shop.example/changes',
      }
      const { send } = await open({
        scenario: { name: 'dated', extends: ['default'], deprecation },
      })
      const { headers } = await send({ operation: 'getPet' })
      expect(headers.get('Deprecation')).toBe('@1746100800')
      expect(headers.get('Sunset')).toBe('Fri, 16 Jan 2026 21:00:00 GMT')
      expect(headers.get('Link')).toContain('<https://shop.example/changes>; rel="deprecation"')
    })

    test('spec §9: errors have the deprecation and sunset dates, too', async () => {
      const { send } = await open()
      for (const request of [
        { petId: 'x' },
        { key: null },
        { petId: '99' },
        { key: 'sbx_free_rate-limited' },
        { key: 'sbx_pro_banned-key' },
        { headers: { Prefer: 'code=500' } },
      ]) {
        const { status, headers } = await send({ operation: 'getPet', ...request })
        expect(status).toBeGreaterThanOrEqual(400)
        expect(headers.get('Deprecation')).toBe(`@${Date.UTC(2025, 11, 16) / 1000}`)
        expect(headers.get('Sunset')).toBe('Wed, 15 Apr 2026 00:00:00 GMT')
      }
    })

    assumption('A21', 'after its sunset it responds with 410 operation_gone', async () => {
      const { send, sandbox } = await open()
      const sunset = Date.UTC(2026, 3, 15)
      sandbox.world.clock.set(sunset - 1)
      expect((await send({ operation: 'getPet' })).status).toBe(200)
      sandbox.world.clock.set(sunset)
      const gone = await send({ operation: 'getPet' })
      expect(gone).toMatchObject({ status: 410, code: 'operation_gone' })
      expect(gone.message).toContain('2026-04-15')
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
    })

    test('assumption A21: a scenario can continue to serve it', async () => {
      const deprecation = { sunsetAt: '-P1D', afterSunset: 'serve' } as const
      const scenario: Scenario = { name: 'served', extends: ['default'], deprecation }
      const { send } = await open({ scenario })
      const { status, headers } = await send({ operation: 'getPet' })
      expect(status).toBe(200)
      expect(Date.parse(headers.get('Sunset') ?? '')).toBeLessThan(startMs)
    })
  })
}
