import type { AssumptionId } from '../../src/contract/assumptions.js'
import type { ErrorCode } from '../../src/contract/errors.js'

/** What of the contract has to appear. */
export interface ContractTables {
  readonly operations: Readonly<Record<string, { readonly errors: readonly ErrorCode[] }>>
  readonly assumptions: Readonly<Record<string, unknown>>
}

/** What of the contract appeared in the answers that tests saw. */
export class Coverage {
  readonly #outcomes = new Set<string>()
  readonly #assumptions = new Set<string>()

  /** @param code The `code` of an Error body; undefined for a success. */
  sawOutcome(operation: string, code: string | undefined): void {
    this.#outcomes.add(`${operation} ${code ?? 'success'}`)
  }

  sawAssumption(id: AssumptionId): void {
    this.#assumptions.add(id)
  }

  /** Each row of the contract that never appeared. */
  findGaps({ operations, assumptions }: ContractTables): string[] {
    const outcomes = Object.entries(operations).flatMap(([operation, { errors }]) =>
      ['success', ...errors].map((outcome) => `${operation} ${outcome}`),
    )
    const ids = Object.keys(assumptions)
    return [
      ...outcomes.filter((outcome) => !this.#outcomes.has(outcome)),
      ...ids.filter((id) => !this.#assumptions.has(id)),
    ]
  }
}
