import { describe, expect, test } from 'vitest'
import { rows, sendRows } from '../../conformance/service/agreement-rows.js'
import { describeSpecification } from '../../conformance/service/cases/specification.js'
import { directTransport } from '../../support/direct-transport.js'
import { createSuite } from '../../support/suite.js'
import type { ReceivedResponse } from '../../support/transport.js'
import { fetchTransport, workerTransport } from './worker-transport.js'

const transports = [workerTransport, fetchTransport]

describe.each(transports)('over $name', (transport) => {
  describeSpecification(createSuite(transport))
})

test.each(transports)('$name responds byte for byte as sandbox.fetch', async (transport) => {
  const expected = await sendRows(directTransport)
  const found = await sendRows(transport)
  for (const [index, row] of rows.entries()) {
    // A page cannot send such a header.
    if (/[^ -~]/.test(JSON.stringify(row[3] ?? {}))) continue
    expect.soft(toComparable(found[index]), row.join(' ')).toEqual(toComparable(expected[index]))
  }
})

function toComparable(received: ReceivedResponse | undefined) {
  return received && { ...received, headers: Object.fromEntries(received.headers) }
}
