import * as z from 'zod/mini'
import { readPages } from '../../control/client/client.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../control/operations.js'
import type { BodyContract, Method } from '../../service/operations/operation.js'
import {
  fieldNotes,
  readFields,
  readId,
  readQuery,
  toFieldArguments,
  toFieldLines,
  toKebabCase,
  toQueryOptions,
} from './arguments.js'
import { toResultText } from './columns.js'
import type { WorldCommand, WorldGroup } from './command.js'

/** Adds a command for each control operation that no entry sends. */
export function addDerivedCommands(
  entries: readonly (WorldCommand | WorldGroup)[],
): readonly (WorldCommand | WorldGroup)[] {
  const covered = new Set(entries.flatMap(toOperations))
  const added = new Map<string, readonly ControlOperationId[]>()
  for (const id of controlOperationIds) {
    if (covered.has(id)) continue
    const group = toGroupName(controlOperations[id])
    added.set(group, [...(added.get(group) ?? []), id])
  }
  const extended = entries.map((entry) => extend(entry, added.get(entry.name) ?? []))
  const names = new Set(entries.map(({ name }) => name))
  const groups = [...added].filter(([name]) => !names.has(name))
  return [...extended, ...groups.map(([name, ids]) => createGroup(name, ids))]
}

function toOperations(entry: WorldCommand | WorldGroup): readonly ControlOperationId[] {
  return 'commands' in entry ? entry.commands.map(({ operation }) => operation) : [entry.operation]
}

/** Adds derived commands to an entry. A single command becomes the default command of a group. */
function extend(
  entry: WorldCommand | WorldGroup,
  ids: readonly ControlOperationId[],
): WorldCommand | WorldGroup {
  if (ids.length === 0) return entry
  const { name, description } = entry
  const existing =
    'commands' in entry ? entry.commands : [{ ...entry, name: toCommandName(entry.operation) }]
  return { name, description, commands: addCommands(existing, name, ids) }
}

function createGroup(name: string, ids: readonly ControlOperationId[]): WorldGroup {
  const isRead = (id: ControlOperationId) => controlOperations[id].method === 'GET'
  const sorted = [...ids.filter(isRead), ...ids.filter((id) => !isRead(id))]
  const commands = addCommands([], name, sorted)
  return { name, description: describeGroup(name, commands), commands }
}

/** Describes a group by its commands: `Lists, adds, changes or removes pets.` */
function describeGroup(name: string, commands: readonly WorldCommand[]): string {
  const verbs = commands.map((command) => `${command.name.replace(/-.*/, '')}s`)
  const [last = ''] = verbs.splice(-1)
  const sentence = `${[verbs.join(', '), last].filter(Boolean).join(' or ')} ${name}.`
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}

function addCommands(
  existing: readonly WorldCommand[],
  group: string,
  ids: readonly ControlOperationId[],
): readonly WorldCommand[] {
  const commands = [...existing]
  for (const id of ids) {
    const name = toCommandName(id)
    const isTaken = commands.some((command) => command.name === name)
    commands.push(createDerived(id, group, isTaken ? toKebabCase(id) : name))
  }
  return commands
}

function toGroupName({ path }: ControlOperation): string {
  return path.split('/')[1] ?? 'world'
}

const verbs: Readonly<Record<Method, string>> = {
  GET: 'show',
  POST: 'add',
  PUT: 'set',
  PATCH: 'change',
  DELETE: 'remove',
}

/** Returns the verb of an operation; for a path below `/group/{id}`, the id of the operation. */
function toCommandName(id: ControlOperationId): string {
  const { method, path, response }: ControlOperation = controlOperations[id]
  const [, , parameter = '', ...rest] = path.split('/')
  if (rest.length > 0 || (parameter !== '' && !parameter.startsWith('{'))) return toKebabCase(id)
  if (parameter === '' && method === 'DELETE') return 'clear'
  if (method === 'GET' && response.body?.schema instanceof z.ZodMiniArray) return 'list'
  return verbs[method]
}

function createDerived(id: ControlOperationId, group: string, name: string): WorldCommand {
  const operation: ControlOperation = controlOperations[id]
  const { description, path, request, idField } = operation
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
  return {
    name,
    operation: id,
    description: description.replaceAll('`', ''),
    arguments: [
      ...params.map((param) => [`<${param}>`, 'An int64 in canonical decimal.'] as const),
      ...(request ? [fieldArgument] : []),
    ],
    options: toQueryOptions(operation),
    notes: idField === undefined ? request && toNotes(request) : wholeList,
    examples: [toExample(operation, params)],
    async run(session, command) {
      const values = params.map((param, at) => [param, readId(param, command.args[at])])
      const input = {
        params: Object.fromEntries(values),
        query: readQuery(operation, command),
        ...(request && {
          json: JSON.stringify(await readFields(command.args.slice(params.length))),
        }),
      }
      const isWhole = idField !== undefined && Object.keys(input.query).length === 0
      const result = isWhole
        ? await readPages(session.client, id as 'listPets') // it has an idField
        : await session.client.send(id, input)
      session.print(result, (value, paint) => toResultText(value, group, paint))
    },
  }
}

const wholeList = 'Without --limit and --after, the whole list is printed.'

const fieldArgument = [
  '<field...>',
  'Fields as name=value, a JSON object, or a .json file.',
] as const

function toNotes({ schema, documentedSchema = schema }: BodyContract): string {
  const isObject = documentedSchema instanceof z.ZodMiniObject
  const lines = isObject ? ['Fields:', ...toFieldLines(documentedSchema.shape), ''] : []
  return [...lines, fieldNotes].join('\n')
}

/** Returns example arguments, with ids from the example response. */
function toExample({ request, response }: ControlOperation, params: readonly string[]): string {
  const example: unknown = [response.body?.example].flat()[0]
  const fields = new Map(Object.entries(example ?? {}))
  const values = params.map((param) => String(fields.get(param) ?? 1))
  return [...values, ...(request ? [toFieldArguments(request.example)] : [])].join(' ')
}
