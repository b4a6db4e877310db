import type { FaultInput } from '../../world/faults/faults.js'

/** The fields of the form as they are typed; empty where nothing is given. */
export interface FaultForm {
  readonly type: FaultInput['type']
  readonly operation: string
  /** A status, milliseconds or percent, by the type. */
  readonly amount: string
  /** Percent of calls. */
  readonly rate: string
  readonly times: string
}

/** What the amount of each type of fault is; `reset` has none. */
export const amounts = {
  status: { label: 'Status', initial: '503', min: 400, max: 599 },
  delay: { label: 'Milliseconds', initial: '2000', min: 0, max: 60_000 },
  truncate: { label: 'Percent that arrives', initial: '50', min: 0, max: 99 },
} as const

/** The fault that the form describes; the sandbox says where it does not fit. */
export function readFaultForm(form: FaultForm): FaultInput {
  const when = {
    ...(form.operation && { operation: form.operation as NonNullable<FaultInput['operation']> }), // a menu
    ...(form.rate && { rate: Number(form.rate) / 100 }),
    ...(form.times && { times: Number(form.times) }),
  }
  const amount = Number(form.amount)
  switch (form.type) {
    case 'status':
      return { type: 'status', status: amount, ...when }
    case 'delay':
      return { type: 'delay', delayMs: amount, ...when }
    case 'truncate':
      return { type: 'truncate', share: amount / 100, ...when }
    case 'reset':
      return { type: 'reset', ...when }
  }
}
