import type { Fault } from '../../../world/faults.js'
import type { Paint } from '../../colour.js'
import { toPlainLine } from './plain.js'

/** Faults in their order, a line each. */
export function toFaultsText(faults: readonly Fault[], paint: Paint): string {
  if (faults.length === 0) return 'no faults\n'
  return faults
    .map((fault, at) => `${paint('bold', `${at + 1}`)}  ${toPlainLine(describeFault(fault))}\n`)
    .join('')
}

/** `getPet answers 503, for 20 % of the calls, 3 more times`. */
function describeFault(fault: Fault): string {
  const { operation = 'every operation', rate = 1, times } = fault
  const parts = [`${operation} ${describeEffect(fault)}`]
  if (rate < 1) parts.push(`for ${toPercent(rate)} of the calls`)
  if (times !== undefined) parts.push(times === 1 ? 'once more' : `${times} more times`)
  return parts.join(', ')
}

function describeEffect(fault: Fault): string {
  switch (fault.type) {
    case 'status':
      return ['answers', fault.status, fault.code].filter((part) => part !== undefined).join(' ')
    case 'delay':
      return `waits ${fault.delayMs} ms`
    case 'reset':
      return 'breaks the connection'
    case 'truncate':
      return `cuts the body off after ${toPercent(fault.share)}`
  }
}

function toPercent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}
