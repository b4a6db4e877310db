import { describeMismatch, describeValue, validate } from '../validation/validate.js'
import { isPlainObject, toPlainData } from './plain-data.js'
import { ScenarioError } from './scenario-error.js'
import { type FilledScenario, type Scenario, scenarioSchema } from './schema.js'

/**
 * Reads a scenario from outside and keeps it as it was authored, without defaults, as merging
 * needs it.
 *
 * @param source The file, or what else it was read from, for messages.
 * @throws {ScenarioError} When it does not fit the schema of a scenario file.
 */
export function readScenario(value: unknown, source: string): Scenario {
  const data = toPlainData(value, source)
  if (!isPlainObject(data)) {
    throw new ScenarioError(source, [
      `the scenario must be an object, found ${describeValue(data)}`,
    ])
  }
  fillScenario(data, source)
  return data as Scenario // what the schema takes is what it was just checked against
}

/**
 * Checks a scenario and fills in every default.
 *
 * @throws {ScenarioError} When it does not fit the schema of a scenario file.
 */
export function fillScenario(data: unknown, source: string): FilledScenario {
  const result = validate(scenarioSchema, data)
  if (result.ok) return result.value
  throw new ScenarioError(
    source,
    result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the scenario')),
  )
}
