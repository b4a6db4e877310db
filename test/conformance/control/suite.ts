import type { SandboxOptions } from '../../../src/index.js'
import { type Connection, connect, type Outcomes } from '../../control/support.js'
import type { Transport } from '../../support/transport.js'

/** The input of the cases. */
export interface ControlSuite {
  readonly outcomes: Outcomes
  /** Opens a sandbox that closes at the end of the test. Its real time does not advance. */
  open(options?: SandboxOptions): Promise<Connection>
}

export function createControlSuite(transport: Transport): ControlSuite {
  const outcomes: Outcomes = new Set()
  return { outcomes, open: (options) => connect(transport, options, outcomes) }
}
