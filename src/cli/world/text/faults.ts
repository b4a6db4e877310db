import { describeFault } from '../../../world/faults/describe.js'
import type { Fault } from '../../../world/faults/faults.js'
import type { Paint } from '../../colour.js'
import { toPlainLine } from '../../plain-line.js'

/** Faults in their order, a line each. */
export function toFaultsText(faults: readonly Fault[], paint: Paint): string {
  if (faults.length === 0) return 'no faults\n'
  return faults
    .map((fault, at) => `${paint('bold', `${at + 1}`)}  ${toPlainLine(describeFault(fault))}\n`)
    .join('')
}
