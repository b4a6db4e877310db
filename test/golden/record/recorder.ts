import { isDeepStrictEqual } from 'node:util'
import type { SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import { directTransport } from '../../support/direct-transport.js'
import { startMs } from '../../support/suite.js'
import type { Place, Transport } from '../../support/transport.js'
import type { Step } from '../replay/cases.js'
import { Labels } from '../replay/labels.js'
import { toSendStep } from '../replay/request.js'
import { shorten } from '../replay/shorten.js'
import { watch } from './watch.js'

const longestTitle = 160

/** What one test did. */
export interface RecordedCase {
  readonly steps: Step[]
  /** Why the steps are not all that it did. */
  readonly problems: string[]
}

/** Records what the tests of a suite do to a sandbox. */
export class Recorder {
  readonly cases = new Map<string, RecordedCase>()
  readonly transport: Transport
  readonly #name: string

  constructor(name: string) {
    this.#name = name
    this.transport = { name, open: (options) => this.#open(options) }
  }

  async #open(given: SandboxOptions): Promise<Place> {
    const { now = () => startMs, sleep: _, ...options } = given
    const { steps, problems } = this.#findCase()
    const json = JSON.parse(JSON.stringify(options))
    if (!isDeepStrictEqual(json, options)) problems.push('has options that are not JSON')
    let nowMs = now()
    steps.push({ open: { ...toFields(json), ...(nowMs === startMs ? {} : { now: nowMs }) } })
    const add = (step: Step) => {
      const passMs = now() - nowMs
      nowMs += passMs
      if (passMs !== 0) steps.push({ passMs })
      steps.push(step)
    }
    const labels = new Labels()
    const place = await directTransport.open(given)
    return {
      ...place,
      sandbox: watch(place.sandbox, { add, reject: (problem) => problems.push(problem) }),
      send: async (request) => {
        add(JSON.parse(labels.mask(JSON.stringify(toSendStep(request, place.urls)))))
        const response = await place.send(request)
        labels.mask(response.text)
        return response
      },
    }
  }

  #findCase(): RecordedCase {
    const { currentTestName = '' } = expect.getState()
    const title = shortenTitle(currentTestName.slice(`${this.#name} > `.length))
    const found = this.cases.get(title) ?? { steps: [], problems: [] }
    this.cases.set(title, found)
    return found
  }
}

/** Titles of tables contain whole requests. */
function shortenTitle(title: string): string {
  if (title.length <= longestTitle) return title
  return `${title.slice(0, longestTitle)}… (${title.length} characters)`
}

function toFields(json: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, shorten(value)]))
}
