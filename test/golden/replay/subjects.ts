import { readdirSync } from 'node:fs'
import type { Subject } from '../subject.js'
import { unfoldRequests } from './again.js'
import type { Cases, Step } from './cases.js'
import { replay } from './replay.js'
import { share } from './share.js'

const files = readdirSync(new URL('../files/', import.meta.url))

/** The files of requests, which are written by hand, and their responses. */
export const replays: readonly Subject[] = files
  .filter((file) => /^(agreement|control-|service-)/.test(file))
  .sort()
  .map((file) => ({
    name: file.replace('.json', ''),
    produce: async (recorded) => {
      const { cases } = recorded as Cases // the content of the file
      return share(await replayAll(cases))
    },
  }))

async function replayAll(recorded: Cases['cases']): Promise<Record<string, Step[]>> {
  const replayed: Record<string, Step[]> = {}
  for (const [title, steps] of Object.entries(recorded)) {
    replayed[title] = await replay(unfoldRequests(steps))
  }
  return replayed
}
