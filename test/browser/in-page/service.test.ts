/// <reference types="vite/client" />
import { describe, expect, test } from 'vitest'
import { describeSpecification } from '../../conformance/service/cases/specification.js'
import agreement from '../../golden/files/agreement.json?raw'
import { type Cases, isSendStep, type SendStep } from '../../golden/replay/cases.js'
import { toSentRequest } from '../../golden/replay/request.js'
import { directTransport } from '../../support/direct-transport.js'
import { createSuite, startMs } from '../../support/suite.js'
import type { ReceivedResponse, Transport } from '../../support/transport.js'
import { fetchTransport, workerTransport } from './worker-transport.js'

const transports = [workerTransport, fetchTransport]

const { cases }: Cases = JSON.parse(agreement)
const requests = Object.values(cases).flat().filter(isSendStep)

describe.each(transports)('over $name', (transport) => {
  describeSpecification(createSuite(transport))
})

test.each(transports)('$name responds byte for byte as sandbox.fetch', async (transport) => {
  // A page cannot send such a header.
  const sent = requests.filter(({ headers = [] }) => headers.every((line) => /^[ -~]*$/.test(line)))
  const expected = await sendAll(sent, directTransport)
  const found = await sendAll(sent, transport)
  for (const [index, { send }] of sent.entries()) {
    expect.soft(found[index], send).toEqual(expected[index])
  }
})

/** Sends requests, one after the other, to a new sandbox. */
async function sendAll(sent: readonly SendStep[], transport: Transport) {
  const place = await transport.open({ now: () => startMs, sleep: async () => {} })
  const responses: ReturnType<typeof toComparable>[] = []
  for (const step of sent) {
    responses.push(toComparable(await place.send(toSentRequest(step, place.urls))))
  }
  await place.close()
  return responses
}

function toComparable(received: ReceivedResponse) {
  return { ...received, headers: Object.fromEntries(received.headers) }
}
