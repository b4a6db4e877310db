import type { Environment } from '../service/addresses.js'
import { toTimestamp } from '../service/timestamp.js'
import type { RequestFact } from '../world/journal/facts.js'
import type { Evidence, RuleResult, Severity } from './report.js'

/** Input of the rules in addition to the requests. */
export interface RuleContext {
  /** Time of the report, on the clock of the world, in milliseconds since the epoch. */
  readonly nowMs: number
  /** Environment of the world. */
  readonly environment: Environment
  /** Whether the key was also used in the other environment. Undefined if it is not known. */
  readonly isUsedElsewhere?: boolean | undefined
}

/** Receives the requests of one key in the order of their responses. */
export interface Examiner {
  see(request: RequestFact): void
  /** Called after the last request. */
  end?(): void
}

/** One rule about the conduct of a client. */
export interface Rule {
  readonly id: string
  /** What a client should do, in a few words. */
  readonly title: string
  readonly severity: Severity
  /** What the rule examines, in one sentence. */
  readonly examines: string
  /** What the developer of the client should change. */
  readonly fix: string
  /** Section of the specification, or RFC. */
  readonly source: string
  /** The finding of each outcome, in one sentence. */
  readonly finding: {
    readonly kept: (kept: number) => string
    readonly broken: (violations: number, kept: number) => string
    readonly unseen: string
  }
  /** Starts to examine the requests of one key. */
  examine(findings: Findings, context: RuleContext): Examiner
}

/** Returns the rule unchanged. */
export function defineRule(rule: Rule): Rule {
  return rule
}

/** Maximum number of pieces of evidence for violations, and for requests that kept a rule. */
const shownViolations = 10
const shownKept = 3

/** Collects the findings of a rule. */
export class Findings {
  #violations = 0
  #kept = 0
  #severity: Severity
  /** The test whose requests are examined; undefined outside of a test run. */
  test: string | undefined
  readonly #broken: Evidence[] = []
  readonly #obeyed: Evidence[] = []

  constructor(readonly rule: Rule) {
    this.#severity = rule.severity
  }

  /**
   * Adds a request that broke the rule.
   *
   * @param observe Returns the observation of the request.
   */
  violate(request: RequestFact, observe: () => string, severity: Severity = this.#severity): void {
    this.#violations += 1
    if (severity === 'error') this.#severity = severity
    if (this.#broken.length < shownViolations) {
      this.#broken.push(toEvidence(request, observe(), this.test))
    }
  }

  /** Adds a request that kept the rule, and could have broken it. */
  keep(request: RequestFact, observe: () => string): void {
    this.#kept += 1
    if (this.#obeyed.length < shownKept) {
      this.#obeyed.push(toEvidence(request, observe(), this.test))
    }
  }

  toResult(): RuleResult {
    const { id, title, examines, fix, source, finding } = this.rule
    const violations = this.#violations
    const kept = this.#kept
    const fields = { id, title, severity: this.#severity, examines, violations, fix, source }
    if (violations > 0) {
      const found = finding.broken(violations, kept)
      return { ...fields, outcome: 'broken', finding: found, evidence: this.#broken }
    }
    if (kept === 0) return { ...fields, outcome: 'unseen', finding: finding.unseen, evidence: [] }
    return { ...fields, outcome: 'kept', finding: finding.kept(kept), evidence: this.#obeyed }
  }
}

function toEvidence(
  { id, atMs }: RequestFact,
  observation: string,
  test: string | undefined,
): Evidence {
  const evidence = { request: id, at: toTimestamp(atMs), observation }
  return test === undefined ? evidence : { ...evidence, test }
}
