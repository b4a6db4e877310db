import { describe, expect } from 'vitest'
import type { Suite } from '../../../support/suite.js'

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
      const deprecation = { sunsetAt: '2026-01-15T09:00:00Z', afterSunset: 'serve' } as const
      const served = await open({ scenario: { name: 'mine', extends: 'default', deprecation } })
      expect((await served.send({ operation: 'getPet' })).status).toBe(200)
    })
  })
}
