import { isDeepStrictEqual } from 'node:util'
import { type AgainStep, isSendStep, type SendStep, type Step } from './cases.js'

/** Writes a request that is sent again as what differs in its response. */
export function foldRepetitions(steps: readonly Step[]): (Step | AgainStep)[] {
  return steps.map((step, index) => {
    const before = steps[index - 1]
    if (!before || !isSendStep(before) || !isSendStep(step)) return step
    const again = findChangedLines(before, step)
    return again ? { again } : step
  })
}

/** Restores the requests, without their responses. */
export function unfoldRequests(steps: readonly (Step | AgainStep)[]): Step[] {
  const unfolded: Step[] = []
  for (const step of steps) {
    const before = unfolded.at(-1)
    if (!('again' in step)) unfolded.push(isSendStep(step) ? toRequest(step) : step)
    else if (before) unfolded.push(before)
  }
  return unfolded
}

function toRequest({ response: _, fetch: __, ...request }: SendStep): SendStep {
  return request
}

/** Returns the header lines that differ; undefined if anything else does. */
function findChangedLines(before: SendStep, step: SendStep): string[] | undefined {
  const [old, found] = [before.response?.headers ?? [], step.response?.headers ?? []]
  if (old.length !== found.length) return undefined
  const withoutHeaders = ({ response, ...rest }: SendStep) => [rest, { ...response, headers: [] }]
  if (!isDeepStrictEqual(withoutHeaders(before), withoutHeaders(step))) return undefined
  const changed = found.filter((line, at) => line !== old[at])
  const names = (lines: readonly string[]) => lines.map((line) => line.replace(/:.*/, ''))
  return isDeepStrictEqual(names(old), names(found)) ? changed : undefined
}
