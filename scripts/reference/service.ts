import { type AddressId, addresses } from '../../src/service/addresses.js'
import { type Assumption, assumptions } from '../../src/service/assumptions.js'
import { errorTexts } from '../../src/service/error-texts.js'
import { allErrorCodes, type ErrorCode } from '../../src/service/errors.js'
import { headerDetails } from '../../src/service/headers.js'
import { interfaceVersion } from '../../src/service/openapi/build.js'
import { groupByStatus } from '../../src/service/openapi/responses.js'
import { commonErrors, documentedErrors } from '../../src/service/operations/operation.js'
import {
  type OperationId,
  operationIds,
  operations,
} from '../../src/service/operations/operations.js'
import { type PlanLimits, plans } from '../../src/service/plans.js'
import { toCode, toTable } from './markdown.js'

/** Returns the part of the reference about the service, as Markdown. */
export function toReferenceMarkdown(): string {
  const parts = [
    introduction,
    '## Addresses',
    toAddressTable(),
    '## Operations',
    toOperationTable(),
    ...operationIds.map(toOperationPart),
    '## Errors',
    errorIntroduction,
    toErrorTable(),
    '## Plans',
    'Each key has two windows in each environment, a minute and a day (spec §8; A06, A09). The field `plans`\nof a scenario changes the limits.',
    toPlanTable(),
    '## Headers',
    toHeaderTable(),
    '## Assumptions',
    assumptionIntroduction,
    toAssumptionTable(),
  ]
  return `${parts.join('\n\n')}\n`
}

const introduction = `<!-- Written by npm run derive from src. Do not edit. -->

# Reference

The Pet Store Inventory Service, version ${interfaceVersion}, as the sandbox implements it. “spec §” refers to a
section of the service's specification. A01, A02 and so on are [assumptions](#assumptions) about what
the specification leaves open. Payloads are JSON. Every operation requires the header
\`Authorization: Bearer <API_KEY>\` (spec §5).`

const errorIntroduction = `Every error has the body \`{ "code", "message", "status" }\` (spec §2). \`status\` repeats the HTTP status.
The values of \`code\` are assumption A01.`

const assumptionIntroduction = `Behaviour that the specification does not define, and the behaviour of the sandbox. The last column is
the field of a scenario file that changes it.`

/** The base addresses in the specification. */
const placeholders: Readonly<Partial<Record<AddressId, string>>> = {
  api: '{base_url}',
  staging: '{staging_base_url}',
  quickstart: '{quickstart_base_url}',
}

function toAddressTable(): string {
  const rows = Object.entries(addresses).map(([id, { title, httpPath, url }]) => {
    const placeholder = placeholders[id as AddressId] // the keys of a const table
    return [title, placeholder ? toCode(placeholder) : '', toCode(httpPath), toCode(url)]
  })
  return toTable(['address', 'in the specification', 'over HTTP', 'in process'], rows)
}

function toOperationTable(): string {
  const rows = operationIds.map((id) => {
    const { method, path, resource, section } = operations[id]
    return [`[${id}](#${id.toLowerCase()})`, toCode(`${method} ${path}`), resource, `§${section}`]
  })
  return toTable(['operation', 'request', 'group', 'spec'], rows)
}

function toOperationPart(id: OperationId): string {
  const operation = operations[id]
  const { description, response } = operation
  const served = operation.addresses.map((address) => addresses[address].title.toLowerCase())
  const errors = groupByStatus(documentedErrors(operation)).map(([status, codes]) => [
    String(status),
    codes.map(toCode).join(', '),
  ])
  return [
    `### ${id}`,
    `\`${operation.method} ${operation.path}\`, at ${served.join(' and ')}. ${description}`,
    operation.stability &&
      `Marked **${operation.stability}**: its request shape may change (spec §9).`,
    operation.deprecated && '**Deprecated**, with a sunset date in the response headers (spec §9).',
    toTable(
      ['status', 'response'],
      [[String(response.status ?? 200), response.description], ...errors],
    ),
    `Assumptions: ${operation.assumptions.join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function toErrorTable(): string {
  const codes = groupByStatus(allErrorCodes)
  const rows = codes.flatMap(([status, group]) =>
    group.map((code) => [toCode(code), String(status), errorTexts[code].meaning, toPlace(code)]),
  )
  return toTable(['code', 'status', 'meaning', 'where'], rows)
}

function toPlace(code: ErrorCode): string {
  if ((commonErrors as readonly ErrorCode[]).includes(code)) return 'every path'
  const found = operationIds.filter((id) => documentedErrors(operations[id]).includes(code))
  if (found.length === operationIds.length) return 'all operations'
  return found.join(', ') || '[control API](#control-api)'
}

function toPlanTable(): string {
  const rows = Object.values<PlanLimits & { title: string }>(plans).map(
    ({ title, requestsPerMinute, requestsPerDay }) => [
      title,
      toCount(requestsPerMinute),
      toCount(requestsPerDay),
    ],
  )
  return toTable(['plan', 'requests per minute', 'requests per day'], rows)
}

function toHeaderTable(): string {
  const rows = Object.entries(headerDetails).map(([name, { meaning, on, example }]) => [
    toCode(name),
    `${meaning}.`,
    on,
    toCode(String(example)),
  ])
  return toTable(['header', 'meaning', 'on', 'example'], rows)
}

function toAssumptionTable(): string {
  const rows = Object.entries<Assumption>(assumptions).map(([id, { open, chosen, change }]) => [
    id,
    open,
    chosen,
    change ? toCode(change) : '',
  ])
  return toTable(['id', 'not specified', 'behaviour of the sandbox', 'scenario field'], rows)
}

/** Formats a number with commas between thousands, in every locale. */
function toCount(count: number): string {
  return count.toLocaleString('en-US')
}
