import type { Report } from '../report.js'

/**
 * Formats a report as JSON, as the control API returns it. Characters that can control a terminal
 * are escape sequences.
 */
export function toJson(report: Report): string {
  const json = JSON.stringify(report, null, 2)
  return `${json.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, toEscapeSequence)}\n`
}

/** Escapes a character as JSON does, a surrogate pair as two units. */
export function toEscapeSequence(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
