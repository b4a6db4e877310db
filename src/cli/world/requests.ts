import * as z from 'zod/mini'
import { type ControlResult, controlOperations } from '../../control/operations.js'
import { operationIds } from '../../service/operations/operations.js'
import { toCount, toPlainLine } from '../../service/validation/message.js'
import { readOptions } from '../read-options.js'
import { type Paint, toStatusStyle } from '../terminal.js'
import { readQuery, toQueryOptions } from './arguments.js'
import { defineCommand, type WorldCommand, type WorldGroup } from './command.js'
import { printEvents } from './stream.js'

type RequestRow = ControlResult<'listRequests'>[number]

const explain = ['--explain', 'Prints the explanation and the changes of each request.'] as const

/** The sandbox validates the other options. */
const optionsSchema = z.looseObject({
  operation: z.optional(z.enum(operationIds)),
  explain: z.optional(z.literal(true)),
})

export const requests: WorldGroup = {
  name: 'requests',
  description: 'Lists or clears the journal: the requests that the world received.',
  commands: [
    {
      name: 'list',
      operation: 'listRequests',
      description: 'Lists the requests, newest first.',
      options: [explain, ...toQueryOptions(controlOperations.listRequests)],
      examples: [
        '--limit 5 --explain',
        '--operation updateInventory --status 400',
        '--unmatched --since 2026-01-01T09:00:00Z',
      ],
      async run({ client, print }, command) {
        const { explain: isExplained = false } = readOptions(command, optionsSchema)
        const query = readQuery(controlOperations.listRequests, command)
        print(await client.send('listRequests', { query }), (rows, paint) =>
          rows.length === 0
            ? 'no requests\n'
            : rows.map((row) => toRequestText(row, isExplained, paint)).join(''),
        )
      },
    },
    defineCommand({
      name: 'clear',
      operation: 'clearRequests',
      description: 'Clears the journal. Data, clock and quota stay unchanged.',
      examples: [''],
      toText: ({ removed }) => `removed ${toCount(removed, 'requests')}\n`,
    }),
  ],
}

export const events: WorldCommand = {
  name: 'events',
  operation: 'streamEvents',
  description: 'Prints requests as the world receives them, until Ctrl+C.',
  options: [explain],
  notes: 'With --json, each request is one line of JSON.',
  examples: ['', '--explain', '--json'],
  async run(session, command) {
    const { explain: isExplained = false }: { explain?: boolean } = command.opts()
    const { isJson, paint } = session
    await printEvents(session, (row) =>
      isJson ? `${JSON.stringify(row)}\n` : toRequestText(row, isExplained, paint),
    )
  },
}

/** Formats a request as one line, with `--explain` followed by indented lines. */
function toRequestText(row: RequestRow, isExplained: boolean, paint: Paint): string {
  const lines = [toRequestLine(row, paint)]
  if (isExplained) lines.push(...toExplanation(row).map((line) => paint('dim', `      ${line}`)))
  return lines.map((line) => `${line}\n`).join('')
}

function toRequestLine(row: RequestRow, paint: Paint): string {
  const { id, at, environment, request, response, apiKey } = row
  const where = environment === 'production' ? '' : ` (${environment})`
  const status = response.status === 0 ? '---' : String(response.status)
  const parts = [
    paint('bold', `#${id}`),
    at,
    paint(toStatusStyle(response.status), status),
    toPlainLine(`${request.method} ${request.path}${where}`),
    toPlainLine(describeOperation(row)),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
  ]
  if (response.code !== null) parts.push(toPlainLine(response.code))
  return parts.join('  ')
}

function describeOperation({ operation, nearestOperation }: RequestRow): string {
  if (operation !== null) return operation
  return nearestOperation ? `no operation; nearest is ${nearestOperation}` : 'no operation'
}

function toExplanation({ request, explanation, changes }: RequestRow): readonly string[] {
  const body = request.body === null ? [] : [`body ${request.body}`]
  const changed = changes.map(({ type, ...fields }) => `changed ${type} ${JSON.stringify(fields)}`)
  return [...body, ...explanation, ...changed].map(toPlainLine)
}
