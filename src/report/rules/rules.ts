import type { Rule } from '../rule.js'
import * as table from './table.js'

/** Every rule: those whose violation is an error first, then by id. */
export const rules: readonly Rule[] = Object.values(table).sort(
  (a, b) => a.severity.localeCompare(b.severity) || (a.id < b.id ? -1 : 1),
)
