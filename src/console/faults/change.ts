import type { ControlResult } from '../../control/operations.js'
import type { PageClient } from '../session/client.js'

export type Fault = ControlResult<'listFaults'>[number]

/** Thrown if a fault is not there any more. */
export class FaultGoneError extends Error {
  override readonly name = 'FaultGoneError'

  constructor() {
    super('the fault is used up, or was removed elsewhere; the others did not change')
  }
}

/**
 * Replaces or removes one fault. Reads the list again first, because requests use up faults, and
 * other clients change them.
 *
 * @param shown The fault as the page shows it.
 * @param at Its position in the shown list.
 * @param json The new fault as JSON; undefined to remove it.
 * @throws {FaultGoneError} If the sandbox does not have the fault any more.
 */
export async function changeFault(
  client: PageClient,
  shown: Fault,
  at: number,
  json?: string,
): Promise<void> {
  const faults = await client.send('listFaults')
  const found = findFault(faults, shown, at)
  if (found === undefined) throw new FaultGoneError()
  const changed = faults.map((fault) => JSON.stringify(fault))
  changed.splice(found, 1, ...(json === undefined ? [] : [json]))
  await client.send('replaceFaults', { json: `[${changed}]` })
}

/** Returns the position of a fault in a newer list: of equal ones, the closest to its former one. */
export function findFault(faults: readonly Fault[], shown: Fault, at: number): number | undefined {
  const identity = identifyFault(shown)
  const equal = [...faults.keys()].filter((key) => identifyFault(faults[key]) === identity)
  return equal.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0]
}

/** Returns a string that stays the same while requests use a fault. */
export function identifyFault(fault: Partial<Fault> | undefined): string {
  const { skip: _, triggered = 0, ...rest } = fault ?? {}
  const { atMost, sequence, ...fields } = { atMost: undefined, sequence: undefined, ...rest }
  // What remains and what was used always add up to the same.
  const uses = (atMost ?? sequence?.length ?? NaN) + triggered
  const last = sequence && JSON.stringify(sequence.at(-1))
  return JSON.stringify([uses, last, Object.entries(fields).sort()])
}
