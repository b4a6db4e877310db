import type { z } from 'zod'
import type { requestSchema } from '../../../control/requests.js'
import type { Paint, Style } from '../../colour.js'
import { toPlainLine } from '../../plain-line.js'

export type RequestRow = z.output<typeof requestSchema>

/** Calls in the order in which they are given. */
export function toRequestsText(
  rows: readonly RequestRow[],
  isExplained: boolean,
  paint: Paint,
): string {
  if (rows.length === 0) return 'no requests\n'
  return rows.map((row) => toRequestText(row, isExplained, paint)).join('')
}

/** A call in a line, and below it, where wanted, why it was answered so and what it changed. */
export function toRequestText(row: RequestRow, isExplained: boolean, paint: Paint): string {
  const lines = [toCallLine(row, paint)]
  if (isExplained) lines.push(...toExplanation(row).map((line) => paint('dim', `      ${line}`)))
  return lines.map((line) => `${line}\n`).join('')
}

function toCallLine(row: RequestRow, paint: Paint): string {
  const { id, at, environment, request, response, apiKey } = row
  const where = environment === 'production' ? '' : ` (${environment})`
  const parts = [
    paint('bold', `#${id}`),
    at,
    paint(toStyle(response.status), response.status === 0 ? '---' : String(response.status)),
    toPlainLine(`${request.method} ${request.path}${where}`),
    toPlainLine(describeTarget(row)),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
  ]
  if (response.code !== null) parts.push(toPlainLine(response.code))
  return parts.join('  ')
}

function describeTarget({ operation, nearestOperation }: RequestRow): string {
  if (operation !== null) return operation
  return nearestOperation ? `no operation; nearest is ${nearestOperation}` : 'no operation'
}

function toExplanation({ request, explanation, changes }: RequestRow): readonly string[] {
  const body = request.body === null ? [] : [`body ${request.body}`]
  const changed = changes.map(({ type, ...what }) => `changed ${type} ${JSON.stringify(what)}`)
  return [...body, ...explanation, ...changed].map(toPlainLine)
}

function toStyle(status: number): Style {
  if (status >= 500 || status === 0) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
