import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as bounds from '../../src/service/bounds.js'

const http = new bounds.HttpLimits()

const count = (value: number) => value.toLocaleString('en')
const kibibytes = (bytes: number) => `${count(bytes / 1_024)} KiB`
const mebibytes = (bytes: number) => `${count(bytes / 1_048_576)} MiB`
const seconds = (ms: number) => `${ms / 1_000} s`
const shared = (bytes: number) =>
  `${mebibytes(bytes)}, of which one client may use ${mebibytes(bytes * bounds.clientShare)}`
const journalPart = 'a quarter of the limit of the world'

/** The defaults in the tables, from top to bottom. */
const defaults = [
  `${count(http.targetLength)} characters`,
  `${kibibytes(http.headerBytes)}, ${http.headerCount} lines`,
  kibibytes(bounds.serviceBodyBytes),
  mebibytes(bounds.controlBodyBytes),
  `${bounds.maximumDepth} levels, ${count(bounds.maximumJsonValues)} values, ${count(bounds.maximumJsonNames)} different names`,
  `${count(bounds.recordValues)} values, ${count(bounds.recordCharacters)} characters`,
  shared(http.receivedBytes),
  shared(http.waitingBytes),
  `${http.pipelinedRequests}`,
  `${bounds.preparingClients}, and one request of each`,
  mebibytes(http.unsentBytes),
  seconds(http.unreadTimeoutMs),
  mebibytes(bounds.streamBytes),
  `${count(http.streams)}, of which one client may open ${http.clientStreams}`,
  `${count(http.connections)}, of which one client may open ${count(http.clientConnections)}`,
  seconds(http.headersTimeoutMs),
  seconds(http.requestTimeoutMs),
  `${mebibytes(bounds.worldsBytes)}, at most half of the heap limit of Node.js`,
  'half of the size of all worlds',
  mebibytes(bounds.worldBytes),
  `${bounds.journalEntries} entries, ${journalPart}`,
  `${count(bounds.reportedRequests)}, ${journalPart}`,
  `${count(bounds.listEntries)} each`,
  `${count(bounds.messagesPerWorld)}, ${mebibytes(bounds.messageBytes)}`,
]

/** Returns the rows of the table under the heading Limits. */
async function readRows(page: string): Promise<string[][]> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8')
  const [, section = ''] = text.split(/^##? Limits$/m)
  const [, table = ''] = section.split('\n| limit | default | beyond it |\n|---|---|---|\n')
  const [rows = ''] = table.split('\n\n')
  return rows.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
}

test.each(['SECURITY.md', 'docs/limits.md'])(
  'the limits in %s agree with the source',
  async (page) => {
    const rows = await readRows(page)
    expect(rows.map(([, , value]) => value)).toEqual(defaults)
  },
)

test('SECURITY.md and docs/limits.md have the same table of limits', async () => {
  expect(await readRows('SECURITY.md')).toEqual(await readRows('docs/limits.md'))
})

test('a quarter of the limit of a world is the share of its journal', () => {
  expect(bounds.journalShare).toBe(1 / 4)
  expect([bounds.smallShare, bounds.reservedShare]).toEqual([1 / 64, 1 / 8])
})
