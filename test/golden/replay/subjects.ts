import { readdirSync } from 'node:fs'
import type { Subject } from '../subject.js'
import { unfoldRequests } from './again.js'
import type { Cases, Step } from './cases.js'
import { replay } from './replay.js'
import { share } from './share.js'

/** The requests of the suites and their responses: one file for each file of cases. */
export const replays: readonly Subject[] = [
  'agreement',
  ...listTopics('control'),
  ...listTopics('service'),
].map((name) => ({
  name,
  produce: async (recorded) => {
    if (recorded === undefined) throw new Error(`record first: npm run golden -- --record ${name}`)
    const { cases } = recorded as Cases // what this function returned before
    return share(await replayAll(cases))
  },
}))

/** Returns the names of the golden files of a suite. */
export function listTopics(suite: 'control' | 'service'): string[] {
  const files = readdirSync(new URL(`../../conformance/${suite}/cases/`, import.meta.url))
  return files.sort().map((file) => `${suite}-${file.replace('.ts', '')}`)
}

async function replayAll(recorded: Cases['cases']): Promise<Record<string, Step[]>> {
  const replayed: Record<string, Step[]> = {}
  for (const [title, steps] of Object.entries(recorded)) {
    replayed[title] = await replay(unfoldRequests(steps))
  }
  return replayed
}
