import { describe, expect, test } from 'vitest'
import type { ReceivedResponse, Transport } from '../support/transport.js'
import {
  directTransport,
  httpNodeHttpTransport,
  httpTransport,
  mswAxiosTransport,
  mswNodeHttpTransport,
  mswTransport,
} from '../support/transports.js'
import { rows, sendRows } from './agreement-rows.js'

const transports: readonly Transport[] = [
  directTransport,
  mswTransport,
  mswAxiosTransport,
  mswNodeHttpTransport,
  httpTransport,
  httpNodeHttpTransport,
]

describe('all transports', () => {
  test('return the same status, reason, headers and body, byte for byte', async () => {
    expect(rows.length).toBeGreaterThan(60)
    const [first, ...others] = transports
    const expected = first && (await sendAll(first))
    expect(expected).toHaveLength(rows.length)
    for (const transport of others) {
      const found = await sendAll(transport)
      for (const [index, row] of rows.entries()) {
        const [address, method, path, headers] = row
        const what = `${address} ${method} ${path} ${JSON.stringify(headers)}`
        expect.soft(found[index], `${transport.name}: ${what}`).toEqual(expected?.[index])
      }
    }
  })

  test('return every status of the service for this list', async () => {
    const statuses = (await sendAll(directTransport)).map(({ status }) => status)
    const all = [200, 204, 400, 401, 404, 405, 410, 413, 415, 429, 500]
    expect([...new Set(statuses)].sort((a, b) => a - b)).toEqual(all)
  })
})

async function sendAll(transport: Transport): Promise<ReturnType<typeof toComparable>[]> {
  return (await sendRows(transport)).map(toComparable)
}

/** Headers of the connection, which differ between transports. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding']

function toComparable({ headers, ...response }: ReceivedResponse) {
  const compared = [...headers].filter(([name]) => !connectionHeaders.includes(name))
  return { ...response, headers: Object.fromEntries(compared) }
}
