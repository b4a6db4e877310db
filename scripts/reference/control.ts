import type { z } from 'zod'
import type { ControlResource } from '../../src/control/operation.js'
import { controlOperationDetails } from '../../src/control/operation-details.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../src/control/operations.js'
import { controlResources } from '../../src/openapi/control.js'
import { describedControlOperations } from '../../src/openapi/described-operations.js'
import { controlSchemas } from '../../src/openapi/document-schemas.js'
import { deriveSchema } from '../../src/openapi/schemas.js'
import { listFields } from './fields.js'
import { toCode, toTable } from './markdown.js'

/** Returns the part of the reference about the control API, as Markdown. */
export function toControlReferenceMarkdown(): string {
  const resources = Object.keys(controlResources) as ControlResource[] // the keys of its record
  return `${[introduction, ...resources.map(toResourcePart)].join('\n\n')}\n`
}

const introduction = `## Control API

The control API reads and changes a world: below \`/sandbox\` for production and the quickstart, below
\`/staging/sandbox\` for staging. The API key names the world. A control request is never charged, and
no limit, ban or fault applies to it.

Every operation can also respond with the errors of a missing or invalid key and of an unknown query
parameter. Operations with a body can respond with the errors of an invalid body, and all operations
except GET with \`cross_origin_denied\`. The OpenAPI document at \`/openapi.sandbox.json\` lists all of them.`

function toResourcePart(resource: ControlResource): string {
  const ids = controlOperationIds.filter((id) => controlOperations[id].resource === resource)
  return [
    `### ${resource}`,
    controlResources[resource],
    ...ids.flatMap((id) => [toRequestLine(id), ...toFieldTables(id)]),
  ].join('\n\n')
}

function toRequestLine(id: ControlOperationId): string {
  const { method, path } = describedControlOperations[id]
  const { errors = [] } = controlOperations[id]
  const { description } = controlOperationDetails[id]
  const own = errors.length > 0 ? ` Specific errors: ${errors.map(toCode).join(', ')}.` : ''
  return `**${id}**: ${toCode(`${method} /sandbox${path}`)}. ${description}${own}`
}

function toFieldTables(id: ControlOperationId): string[] {
  const { querySchemas = {}, requestSchemas } = controlSchemas
  return [
    ...toFieldTable('parameter', querySchemas[id]),
    ...toFieldTable('field', requestSchemas[id]),
  ]
}

function toFieldTable(title: string, schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const rows = listFields(deriveSchema(schema, 'request')).map(
    ({ path, type, isRequired, meaning }) => [
      toCode(path),
      isRequired ? `${type}, required` : type,
      meaning,
    ],
  )
  return rows.length > 0 ? [toTable([title, 'type', 'meaning'], rows)] : []
}
