import type { AssumptionId } from '../../src/service/assumptions.js'
import type { ErrorCode } from '../../src/service/errors.js'

/** The parts of the contract that must appear in responses. */
export interface ContractTables {
  /** The documented errors of each operation. */
  readonly errors: Readonly<Record<string, readonly ErrorCode[]>>
  readonly assumptions: Readonly<Record<string, unknown>>
}

/** Records which parts of the contract appeared in the responses of a test run. */
export class Coverage {
  readonly #outcomes = new Set<string>()
  readonly #assumptions = new Set<string>()

  /** @param code The `code` of an Error body; undefined for a success. */
  addOutcome(operation: string, code: string | undefined): void {
    this.#outcomes.add(`${operation} ${code ?? 'success'}`)
  }

  addAssumption(id: AssumptionId): void {
    this.#assumptions.add(id)
  }

  /** Returns each part of the contract that has not appeared. */
  findGaps({ errors, assumptions }: ContractTables): string[] {
    const outcomes = Object.entries(errors).flatMap(([operation, codes]) =>
      ['success', ...codes].map((outcome) => `${operation} ${outcome}`),
    )
    const ids = Object.keys(assumptions)
    return [
      ...outcomes.filter((outcome) => !this.#outcomes.has(outcome)),
      ...ids.filter((id) => !this.#assumptions.has(id)),
    ]
  }
}
