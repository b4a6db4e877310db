import type { Scenario } from './schema.js'

/**
 * The names of scenarios that the types know, as keys. Declare the names of your own scenarios:
 *
 * @example
 * declare module 'petstore-sandbox' {
 *   interface ScenarioNames {
 *     'my-shop': true
 *   }
 * }
 */
export interface ScenarioNames {
  default: true
  'empty-store': true
  'low-stock': true
  'large-catalogue': true
  'int64-ids': true
  'nearly-limited': true
  'rate-limited': true
  'gentle-limit': true
  'daily-quota-spent': true
  'banned-key': true
  'sunset-soon': true
  'sunset-passed': true
  flaky: true
  slow: true
  realistic: true
}

/** Name of a scenario: a built-in name, or a name that `ScenarioNames` declares. */
export type ScenarioName = Extract<keyof ScenarioNames, string>

/**
 * A scenario, or the import of a scenario file, whose values TypeScript types as `string` and `number`.
 * They are checked at run time.
 */
export type ScenarioInput = Widened<Scenario>

/** Accepts any string instead of literal types, and any number. Editors still complete the literals. */
type Widened<T> = T extends string
  ? T | (string & {})
  : T extends number
    ? number
    : T extends object
      ? { readonly [Key in keyof T]: Widened<T[Key]> }
      : T

/**
 * A scenario name, a scenario object, or an array of them. An array is merged from left to right: the
 * value of a later scenario wins.
 */
export type ScenarioSource =
  | ScenarioName
  | ScenarioInput
  | readonly (ScenarioName | ScenarioInput)[]

/**
 * Checks that `use` was called with one argument.
 *
 * @throws {TypeError} If there are further arguments, which version 1 accepted.
 */
export function checkOnlySource(others: readonly unknown[]): void {
  if (others.length === 0) return
  throw new TypeError("use takes several scenarios in an array: use(['low-stock', 'flaky'])")
}

/** A {@link ScenarioSource} whose names are checked at run time only. */
export type AnyScenarioSource = string | ScenarioInput | readonly (string | ScenarioInput)[]
