import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import type { Suite } from '../../../support/suite.js'

/** Spec §4.4: the quickstart example. */
export function describeSendMessage({ open, assumption }: Suite): void {
  describe('sendMessage', () => {
    test('spec §4.4: status `queued`: the message stays in the queue', async () => {
      const { send, sandbox } = await open()
      await send({ operation: 'sendMessage', json: { message: 'first' } })
      sandbox.world.clock.advance('P7D')
      await send({ operation: 'sendMessage', json: { message: 'second' } })
      expect(sandbox.world.db.messages.list()).toMatchObject([
        { message: 'first', status: 'queued' },
        { message: 'second', status: 'queued' },
      ])
    })

    test.each([
      ['no body', '', 'invalid_json'],
      ['a body with other fields only', '{"text":"Hi"}', 'missing_field'],
      ['a message that is null', '{"message":null}', 'invalid_field'],
      ['a body that is not an object', '["message"]', 'invalid_field'],
    ])('spec §4.4: 400 for %s', async (_, body, code) => {
      const { send, sandbox } = await open()
      const response = await send({ operation: 'sendMessage', body })
      expect(response).toMatchObject({ status: 400, code })
      expect(sandbox.world.db.messages.count).toBe(0)
    })

    assumption('A10', 'its status is 200, or the status of the scenario', async () => {
      const { send } = await open()
      expect((await send({ operation: 'sendMessage' })).status).toBe(200)
      for (const messageStatus of [201, 202] as const) {
        const rules = { messageStatus }
        const scenario: Scenario = { name: 'created', extends: ['default'], rules }
        const other = await open({ scenario })
        const { status } = await other.send({ operation: 'sendMessage' })
        expect(status).toBe(messageStatus)
      }
    })

    assumption(
      'A20',
      'an id is msg_ and 24 letters and digits, repeatable from the seed',
      async () => {
        const idsOf = async (seed: number) => {
          const scenario: Scenario = { name: 'seeded', extends: ['default'], seed }
          const { send } = await open({ scenario })
          const ids: unknown[] = []
          for (let count = 0; count < 3; count++) {
            const { json } = await send({ operation: 'sendMessage' })
            ids.push((json as { id: unknown }).id) // the client validates its shape
          }
          return ids
        }
        const ids = await idsOf(42)
        for (const id of ids) expect(id).toMatch(/^msg_[A-Za-z0-9]{24}$/)
        expect(new Set(ids).size).toBe(3)
        expect(await idsOf(42)).toEqual(ids)
        expect(await idsOf(43)).not.toEqual(ids)
      },
    )

    assumption('A23', 'a world retains its newest 1,000 messages', async () => {
      const messages = Array.from({ length: 1_000 }, (_, index) => ({
        id: `old-${index}`,
        message: `message ${index}`,
        createdAt: '2026-01-01T00:00:00Z',
      }))
      const { send, sandbox } = await open({ scenario: { name: 'full', messages } })
      await send({ operation: 'sendMessage', json: { message: 'the newest' } })
      const messagesOfWorld = sandbox.world.db.messages.list()
      expect(messagesOfWorld).toHaveLength(1_000)
      expect(messagesOfWorld.at(0)).toMatchObject({ id: 'old-1' })
      expect(messagesOfWorld.at(-1)).toMatchObject({ message: 'the newest' })
    })

    assumption(
      'A14',
      'another Content-Type is 400 unsupported_media_type, another Content-Encoding 415',
      async () => {
        const { send } = await open()
        const unsupportedType = { status: 400, code: 'unsupported_media_type' }
        const unsupportedEncoding = { status: 415, code: 'unsupported_content_encoding' }
        for (const operation of ['updateInventory', 'sendMessage'] as const) {
          for (const contentType of ['text/plain', 'application/jsonp', null]) {
            expect(await send({ operation, contentType })).toMatchObject(unsupportedType)
          }
          for (const contentType of ['application/json ; charset=utf-8', 'Application/JSON']) {
            expect((await send({ operation, contentType })).status, contentType).toBe(200)
          }
          for (const encoding of ['gzip', 'identity, gzip']) {
            const headers = { 'Content-Encoding': encoding }
            expect(await send({ operation, headers })).toMatchObject(unsupportedEncoding)
          }
          for (const encoding of ['Identity', '']) {
            const headers = { 'Content-Encoding': encoding }
            expect((await send({ operation, headers })).status).toBe(200)
          }
        }
      },
    )

    assumption('A12', 'a body has at most 64 KiB; more is 413 payload_too_large', async () => {
      const { send } = await open()
      const bodies = { updateInventory: '{"quantity":5}', sendMessage: '{"message":"Hi"}' }
      for (const operation of ['updateInventory', 'sendMessage'] as const) {
        const atLimit = bodies[operation].padEnd(65_536)
        expect((await send({ operation, body: atLimit })).status).toBe(200)
        const rejected = await send({ operation, body: `${atLimit} ` })
        expect(rejected).toMatchObject({ status: 413, code: 'payload_too_large' })
        expect(rejected.message).toContain('65536')
      }
    })
  })
}
