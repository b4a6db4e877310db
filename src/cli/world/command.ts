import type { Command } from 'commander'
import { set } from 'es-toolkit/compat'
import { isEmptyObject } from 'es-toolkit/predicate'
import { type ControlInput, wholeList } from '../../control/client/client.js'
import { type ControlOperationId, controlResources } from '../../control/operations.js'
import { isInt64 } from '../../service/int64.js'
import { UsageError } from '../../verify/usage-error.js'
import { defineCommand } from '../command.js'
import { type OptionTable, toCommandLine, worldOptions } from '../options.js'
import { toJson } from '../render.js'
import { type OutputOptions, type Terminal, writeOutput } from '../terminal.js'
import { type WorldCommand, worldCommands } from './commands.js'
import {
  describeBody,
  listLeaves,
  readBody,
  toBodyArgument,
  toBodyArguments,
  toOptions,
} from './fields.js'
import { openSession } from './session.js'
import { findText } from './texts.js'

const defineWorld = defineCommand({
  name: 'world',
  description: 'Shows and controls the world of a key in a running sandbox.',
  options: worldOptions,
  examples: [
    'world',
    'world use low-stock',
    'world clock advance PT90S',
    'world quota one-left',
    'world faults add type=status status=503 atMost=2',
    'world requests --status 429 --explain',
    'world snapshot --output seen.json',
    'world report --format html --output report.html',
    'world show --url http://127.0.0.1:4011 --key sbx_pro_default_ci-7',
  ],
})

/**
 * Creates the command that shows and controls the world of a key in a running sandbox. Its
 * subcommands are derived from the control operations; the first one is the default.
 */
export function createCommand(terminal: Terminal): Command {
  const root = defineWorld(terminal)
  for (const entry of worldCommands) {
    const [noun = '', verb] = entry.name.split(' ')
    const leaf = createLeaf(entry, root, terminal)
    if (verb === undefined) {
      root.addCommand(leaf, { isDefault: root.commands.length === 0 })
      continue
    }
    const existing = root.commands.find((command) => command.name() === noun)
    const group = existing ?? defineGroup(noun, entry.id)(terminal)
    if (!existing) root.addCommand(group)
    group.addCommand(leaf, { isDefault: !existing })
  }
  return root
}

/** Defines the command whose subcommands begin with a noun. */
function defineGroup(noun: string, id: ControlOperationId): (terminal: Terminal) => Command {
  const resource = controlResources.find(({ operations }) => id in operations)
  const entries = worldCommands.filter(({ name }) => name.startsWith(`${noun} `))
  const examples = entries.flatMap((entry) => listExamples(entry, toInputs(entry)).slice(0, 1))
  const description = resource?.description ?? ''
  return defineCommand({ name: noun, description, options: {}, examples })
}

/** Returns what the options and arguments of a command set. */
function toInputs({ operation, name, fields, toBody }: WorldCommand) {
  const { path, query, request } = operation
  const verb = name.replace(/.* /, '')
  const leaves = request ? listLeaves(request.schema) : []
  const names = fields ?? (toBody ? [] : undefined)
  const settable = leaves.filter(({ path: [first = ''] }) => names?.includes(first) ?? true)
  return {
    /** Name of the parameter in the path, whose argument comes first. */
    param: /\{(\w+)\}/.exec(path)?.[1],
    query: toOptions(query ? listLeaves(query) : [], verb),
    body: toOptions(settable, verb),
    /** Whether the body is read from arguments such as `quantity=3`. */
    takesBody: request !== undefined && leaves.length === 0 && !toBody,
  }
}

type Inputs = ReturnType<typeof toInputs>

/** The values of the options of a command. Those of fields have their paths as names. */
type Values = Readonly<Record<string, unknown>>

function createLeaf(entry: WorldCommand, world: Command, terminal: Terminal): Command {
  const { id, operation, name, args = [] } = entry
  const { description = operation.description.replaceAll('`', '') } = entry
  const inputs = toInputs(entry)
  const { param, query, body, takesBody } = inputs
  const define = defineCommand({
    name: name.replace(/.* /, ''),
    description,
    args: [
      ...(param ? [[`<${param}>`, 'An int64 in canonical decimal.'] as const] : []),
      ...args,
      ...(operation.request && takesBody ? [toBodyArgument(operation.request)] : []),
    ],
    options: { ...query, ...body, ...entry.options },
    notes: toNotes(entry, takesBody),
    examples: listExamples(entry, inputs),
    async run(values: Values, _, leaf) {
      const session = openSession(world, leaf, terminal)
      if (entry.run) return entry.run(session, values)
      const result = await session.client.send(id, await readInput(entry, inputs, values, leaf))
      const toText = findText(id, name.replace(/ .*/, ''))
      const text = session.isJson ? toJson(result ?? null) : toText(result, session.paint, values)
      return writeOutput(text, values as OutputOptions, terminal) // if the command has them
    },
  })
  return define(terminal).summary(description.replace(/(?<=\.)\s.*$/s, ''))
}

function toNotes({ operation, notes }: WorldCommand, takesBody: boolean): string | undefined {
  const { idField, request } = operation
  if (request && takesBody) return describeBody(request)
  return idField === undefined ? notes : 'Without --limit and --after, the whole list is printed.'
}

/** Lists example command lines. Default: the example request. */
function listExamples(entry: WorldCommand, inputs: Inputs): readonly string[] {
  const { request, pathParameter } = entry.operation
  const params = inputs.param === undefined ? [] : [pathParameter?.example]
  const body = inputs.takesBody ? [toBodyArguments(request?.example)] : []
  const lines = entry.examples ?? [[...params, ...body].join(' ')]
  return lines.map((line) => `world ${entry.name} ${line}`.trimEnd())
}

/**
 * Returns the input of the operation.
 *
 * @throws {UsageError | ScenarioError} If an argument or an option is invalid.
 */
async function readInput(
  { operation: { request, idField }, toBody }: WorldCommand,
  { param, query, body, takesBody }: Inputs,
  values: Values,
  command: Command,
): Promise<ControlInput> {
  const [id = '', ...args] = param === undefined ? ['', ...command.args] : command.args
  const params = param === undefined ? {} : { [param]: readId(param, id) }
  const given = readFields(query, values)
  const isWhole = idField !== undefined && isEmptyObject(given)
  const input = { params, query: isWhole ? wholeList : given }
  if (!request) return input
  const fields = readFields(body, values)
  if (!takesBody && !toBody && !request.isOptional && isEmptyObject(fields)) {
    const line = toCommandLine(command)
    throw new UsageError(`${line} requires at least one option, found none; see ${line} --help`)
  }
  const sent = takesBody ? readBody(args) : (toBody?.(fields, args) ?? fields)
  return { ...input, body: (await sent) as ControlInput['body'] } // the sandbox validates it
}

/** Reads a path parameter. Anything else than an int64, such as `..`, would change the path. */
function readId(name: string, text: string): string {
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal such as 7'
  throw new UsageError(`${name} must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** Returns the values of the options that are set, as an object with nested objects. */
function readFields(options: OptionTable, values: Values): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [path, each] of Object.entries(options)) {
    const isSet = values[path] !== (each.isBoolean() ? false : undefined)
    if (isSet) set(fields, path, values[path])
  }
  return fields
}
