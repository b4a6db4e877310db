import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/engine/client.js'
import { UnsentBytes } from '../../../src/transport/http/clients.js'

/** The part of a response that is used. */
class FakeResponse extends EventEmitter {
  destroyed = false

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

const createResponse = () => new FakeResponse() as unknown as ServerResponse
const createClient = () => ({}) as Client // only compared

test('beyond the limit, all unsent responses of the client with the most are closed', () => {
  const unsent = new UnsentBytes(100)
  const [reader, attacker] = [createClient(), createClient()]
  const [other, idle, first, second] = Array.from({ length: 4 }, createResponse)
  if (!other || !idle || !first || !second) expect.fail()
  unsent.set(other, reader, 45)
  unsent.set(idle, attacker, 5)
  unsent.set(idle, attacker, 0)
  unsent.set(first, attacker, 30)
  expect(unsent.total).toBe(75)
  unsent.set(second, attacker, 30)
  expect([other, idle, first, second].map(({ destroyed }) => destroyed)).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(unsent.total).toBe(45)
  unsent.set(second, attacker, 200)
  expect(unsent.total).toBe(45)
})
