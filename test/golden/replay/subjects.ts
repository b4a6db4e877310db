import { readdirSync } from 'node:fs'
import { vi } from 'vitest'
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
  // The file has the form that this function returns.
  produce: (recorded) => produce((recorded as Cases).cases),
}))

/** Returns the names of the golden files of a suite. */
export function listTopics(suite: 'control' | 'service'): string[] {
  const folder = suite === 'service' ? 'suite' : suite
  const files = readdirSync(new URL(`../../${folder}/cases/`, import.meta.url))
  return files.sort().map((file) => `${suite}-${file.replace('.ts', '')}`)
}

async function produce(recorded: Cases['cases']): Promise<Cases> {
  // Journal entries state how long a request took.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const replayed: Record<string, Step[]> = {}
  try {
    for (const [title, steps] of Object.entries(recorded)) {
      replayed[title] = await replay(unfoldRequests(steps))
    }
  } finally {
    clock.mockRestore()
  }
  return share(replayed)
}
