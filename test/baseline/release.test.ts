import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDifference } from './compare.js'
import { intendedDifferences } from './intended.js'
import { loadBuild, openHttp, openInProcess } from './place.js'

/** The folder in which `run.js` has installed the release. */
const folder = process.env.BASELINE_FOLDER

test.each([
  ['in process', openInProcess, 1_750],
  ['over HTTP', openHttp, 250],
] as const)('this build does what the release does %s', async (_, open, count) => {
  if (folder === undefined) throw new Error('run this test with npm run test:baseline')
  const comparison = {
    released: loadBuild(folder),
    present: loadBuild(join(import.meta.dirname, '../..')),
    intended: intendedDifferences,
  }
  const difference = await findDifference(comparison, open, count)
  if (difference !== undefined) expect.fail(difference)
})
