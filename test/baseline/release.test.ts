import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadBuild } from './build.js'
import { findDifference } from './compare.js'
import { Coverage } from './coverage.js'
import type { Exchange } from './exchange.js'
import { intendedDifferences } from './intended.js'
import { openHttp, openInProcess } from './place.js'
import { sequences, sequencesOverHttp } from './sequence.js'

const root = join(import.meta.dirname, '../..')

/** The folder in which `run.js` has installed the release. */
const folder = process.env.BASELINE_FOLDER

test('this build does what the release does', async () => {
  if (folder === undefined) throw new Error('run this test with npm run test:baseline')
  const released = loadBuild(folder)
  const present = loadBuild(root)
  const coverage = await Coverage.open(present)
  const onExchange = (exchange: Exchange) => coverage.add(exchange)
  for (const runs of [
    { sequences, open: openInProcess, count: 1_750 },
    { sequences: sequencesOverHttp, open: openHttp, count: 250 },
  ]) {
    const comparison = { released, present, intended: intendedDifferences }
    const difference = await findDifference(comparison, { ...runs, onExchange })
    if (difference !== undefined) expect.fail(difference)
  }
  console.log(coverage.toString())
  expect(coverage.findGaps(), 'what no sequence has produced').toEqual([])
})
