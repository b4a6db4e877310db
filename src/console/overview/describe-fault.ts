import type { Fault } from '../../world/faults.js'

/** A fault as a sentence: `getPet answers 503, for 20 % of calls, 3 more times`. */
export function describeFault(fault: Fault): string {
  const { operation = 'every operation', rate, times } = fault
  return [
    `${operation} ${describeEffect(fault)}`,
    rate !== undefined && rate < 1 && `for ${Number((rate * 100).toFixed(2))} % of calls`,
    times !== undefined && (times === 1 ? 'once more' : `${times} more times`),
  ]
    .filter(Boolean)
    .join(', ')
}

function describeEffect(fault: Fault): string {
  switch (fault.type) {
    case 'status':
      return `answers ${fault.status}${fault.code ? ` ${fault.code}` : ''}`
    case 'delay':
      return `waits ${fault.delayMs} ms`
    case 'reset':
      return 'breaks the connection'
    case 'truncate':
      return `cuts the body off after ${Math.round(fault.share * 100)} %`
  }
}
