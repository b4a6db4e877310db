import type { SandboxOptions } from '../../src/index.js'
import type { Transport } from '../support/transport.js'
import { type Connection, connect, type Outcomes } from './support.js'

/** What the cases are given. */
export interface ControlSuite {
  readonly transport: Transport
  readonly outcomes: Outcomes
  /** Opens a sandbox that closes with the test. Its time stands still until it is moved. */
  open(options?: SandboxOptions): Promise<Connection>
}

export function createControlSuite(transport: Transport): ControlSuite {
  const outcomes: Outcomes = new Set()
  return { transport, outcomes, open: (options) => connect(transport, options, outcomes) }
}
