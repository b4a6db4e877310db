/** Why fields of a record are invalid, by name. Empty if there is no problem. */
export type Problems = Readonly<Record<string, string>>

/** Name of a problem that concerns no field. */
export const whole = ''

/**
 * Assigns the parts of a message of the control API to the fields that they name.
 *
 * @param message Such as `quantity must be an integer, found "a" (string); pets[0].x must …`.
 * @param toField Returns the field of the form for the first name of a path; undefined if there is none.
 */
export function toProblems(
  message: string,
  toField: (name: string) => string | undefined,
): Problems {
  const problems: Record<string, string> = {}
  let field = whole
  for (const part of message.split('; ')) {
    const found = toField(findName(part) ?? '')
    field = found ?? field
    const before = problems[field]
    problems[field] = before === undefined ? part : `${before}; ${part}`
  }
  return problems
}

/** Returns the first name in the path at which a message begins. */
function findName(part: string): string | undefined {
  const conflict = /^an? (?:pet|order) with the (petId|id) .* already exists/.exec(part)
  const path = /^(?:the (?:pet|order): )?(?:(?:pets|orders)\[0\]\.?)?([\p{L}\p{N}_$-]+)[ .[]/u.exec(
    part,
  )
  const quoted = /^(?:the (?:pet|order): )?(?:(?:pets|orders)\[0\])?\[("(?:[^"\\]|\\.)*")\]/.exec(
    part,
  )
  if (quoted?.[1] !== undefined) return String(JSON.parse(quoted[1]))
  return conflict?.[1] ?? path?.[1]
}
