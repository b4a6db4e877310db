import type * as z from 'zod/mini'
import type { ControlOperation, ControlResource } from '../../src/control/operation.js'
import { controlResources } from '../../src/control/operations.js'
import { deriveSchemas } from '../../src/service/openapi/schemas.js'
import { listFields } from './fields.js'
import { toCode, toTable } from './markdown.js'

/** Returns the part of the reference about the control API, as Markdown. */
export function toControlReferenceMarkdown(): string {
  return `${[introduction, ...controlResources.map(toResourcePart)].join('\n\n')}\n`
}

const introduction = `## Control API

The control API reads and changes a world: below \`/sandbox\` for production and the quickstart, below
\`/staging/sandbox\` for staging. The API key names the world. A control request is never charged, and
no limit, ban or fault applies to it.

Every operation can also respond with the errors of a missing or invalid key and of an unknown query
parameter, and with \`control_denied\` if the sandbox restricts control. Operations with a body can
respond with the errors of an invalid body, and all operations except GET with
\`cross_origin_denied\`. The OpenAPI document at \`/openapi.sandbox.json\` lists all of them.

Every response to a valid key has the header \`Sandbox-World-Generation\`, an integer that changes
whenever the world restarts, or is evicted and created again.`

function toResourcePart({ title, description, operations }: ControlResource): string {
  const parts = Object.entries(operations).flatMap(([id, operation]) => [
    toRequestLine(id, operation),
    ...toFieldTables(operation),
  ])
  return [`### ${title}`, description, ...parts].join('\n\n')
}

function toRequestLine(id: string, operation: ControlOperation): string {
  const { method, path, description, errors = [] } = operation
  const own = errors.length > 0 ? ` Specific errors: ${errors.map(toCode).join(', ')}.` : ''
  return `**${id}**: ${toCode(`${method} /sandbox${path}`)}. ${description}${own}`
}

function toFieldTables({ query, request }: ControlOperation): string[] {
  return [
    ...toFieldTable('parameter', query),
    ...toFieldTable('field', request && (request.documentedSchema ?? request.schema)),
  ]
}

function toFieldTable(title: string, schema: z.ZodMiniType | undefined): string[] {
  if (!schema) return []
  const rows = listFields(deriveSchemas({ schema }, 'request').schema).map(
    ({ path, type, isRequired, meaning }) => [
      toCode(path),
      isRequired ? `${type}, required` : type,
      meaning,
    ],
  )
  return rows.length > 0 ? [toTable([title, 'type', 'meaning'], rows)] : []
}
