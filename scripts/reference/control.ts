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

/** The part of the reference page about steering, made from the control table. */
export function toControlReferenceMarkdown(): string {
  const resources = Object.keys(controlResources) as ControlResource[] // the keys of its record
  return `${[introduction, ...resources.map(toResourcePart)].join('\n\n')}\n`
}

const introduction = `## Steering

The control API puts a world into any state: below \`/sandbox\` for production and the quickstart, below
\`/staging/sandbox\` for staging. The API key names the world. A control call is never charged, and no
limit, ban or fault touches it. Beyond the errors that are named here, each operation answers those of
a missing or invalid key and of a query that it does not take; those with a body the ones of a body
that does not fit; and all but GET \`cross_origin_denied\`. The OpenAPI document at
\`/openapi.sandbox.json\` shows the whole of it.`

function toResourcePart(resource: ControlResource): string {
  const ids = controlOperationIds.filter((id) => controlOperations[id].resource === resource)
  return [
    `### ${resource}`,
    controlResources[resource],
    ...ids.flatMap((id) => [toCallLine(id), ...toFieldTables(id)]),
  ].join('\n\n')
}

function toCallLine(id: ControlOperationId): string {
  const { method, path } = describedControlOperations[id]
  const { errors = [] } = controlOperations[id]
  const { description } = controlOperationDetails[id]
  const own = errors.length > 0 ? ` Errors of its own: ${errors.map(toCode).join(', ')}.` : ''
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
