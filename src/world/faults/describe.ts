import type { Fault } from './faults.js'

/** A fault as a sentence: `getPet answers 503, for 20 % of calls, 3 more times`. */
export function describeFault(fault: Fault): string {
  const { operation = 'every operation', rate = 1, times } = fault
  const parts = [`${operation} ${describeEffect(fault)}`]
  if (rate < 1) parts.push(`for ${toPercent(rate)} of calls`)
  if (times !== undefined) parts.push(times === 1 ? 'once more' : `${times} more times`)
  return parts.join(', ')
}

/** What a fault does: `answers 503`. */
export function describeEffect(fault: Fault): string {
  switch (fault.type) {
    case 'status':
      return `answers ${fault.status}${fault.code === undefined ? '' : ` ${fault.code}`}`
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
