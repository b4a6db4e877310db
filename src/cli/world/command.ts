import { Command, type Option } from 'commander'
import { readPages } from '../../control/client/client.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  controlOperations,
  controlResources,
} from '../../control/operations.js'
import { isInt64 } from '../../service/int64.js'
import { UsageError } from '../../verify/usage-error.js'
import { AssessmentCommand, addOptions, toHelpEnd } from '../command.js'
import { readOptions, toCommandLine } from '../options.js'
import { toResultText } from '../render.js'
import type { Terminal } from '../terminal.js'
import { type WorldCommand, worldCommands } from './commands.js'
import {
  describeBody,
  type Field,
  listLeaves,
  readBody,
  readFieldValue,
  toBodyArgument,
  toBodyArguments,
  toOption,
} from './fields.js'
import { openSession, type WorldSession } from './session.js'
import { findText } from './texts.js'

/** Adds every command to `world`. The first one is the default. */
export function addWorldCommands(world: Command, terminal: Terminal): void {
  // Subcommands accept the options of `world` as well, so their help lists them.
  const help = { showGlobalOptions: true, visibleGlobalOptions: () => [...world.options] }
  for (const entry of worldCommands) {
    const [noun = '', verb] = entry.name.split(' ')
    const leaf = createLeaf(entry, world, terminal).configureHelp(help)
    if (verb === undefined) {
      world.addCommand(leaf, { isDefault: world.commands.length === 0 })
      continue
    }
    const existing = world.commands.find((command) => command.name() === noun)
    const group = existing ?? createGroup(noun, entry.operation).configureHelp(help)
    if (!existing) world.addCommand(group)
    group.addCommand(leaf, { isDefault: !existing })
  }
}

/** Creates the command whose subcommands begin with a noun. */
function createGroup(noun: string, id: ControlOperationId): Command {
  const resource = controlResources.find(({ operations }) => id in operations)
  const entries = worldCommands.filter(({ name }) => name.startsWith(`${noun} `))
  const examples = entries.flatMap((entry) => listExamples(entry).slice(0, 1))
  return new Command(noun)
    .description(resource?.description ?? '')
    .addHelpText('after', toHelpEnd(undefined, examples))
}

/** What the options and arguments of a command set. */
interface Inputs {
  /** Names of the parameters in the path, whose arguments come first. */
  readonly params: readonly string[]
  readonly query: readonly (readonly [Field, Option])[]
  readonly body: readonly (readonly [Field, Option])[]
  /** The field of the body that the argument sets. */
  readonly argument?: Field | undefined
  /** Whether the body is read from arguments such as `quantity=3`. */
  readonly takesBody: boolean
}

function toInputs({ operation: id, name, argument, fields, body, toBody }: WorldCommand): Inputs {
  const { path, query, request }: ControlOperation = controlOperations[id]
  const verb = name.split(' ').at(-1) ?? ''
  const toOptions = (list: readonly Field[]) =>
    list.map((field) => [field, toOption(field, verb)] as const)
  const leaves = request && !body ? listLeaves(request.schema) : []
  const settable = leaves.filter(({ path: [first = ''] }) => fields?.includes(first) ?? true)
  return {
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param),
    query: query ? toOptions(listLeaves(query)) : [],
    body: toOptions(settable),
    argument: leaves.find(({ path: [first] }) => first === argument?.field),
    takesBody: request !== undefined && leaves.length === 0 && !body && !toBody,
  }
}

function createLeaf(entry: WorldCommand, world: Command, terminal: Terminal): Command {
  const { name, argument, options = {} } = entry
  const operation: ControlOperation = controlOperations[entry.operation]
  const { description = operation.description.replaceAll('`', '') } = entry
  const inputs = toInputs(entry)
  const verb = name.split(' ').at(-1)
  const leaf = (entry.isAssessment ? new AssessmentCommand(verb) : new Command(verb))
    .description(description)
    .summary(description.replace(/(?<=\.)\s.*$/s, ''))
    .addHelpText('after', toHelpEnd(toNotes(entry, inputs), listExamples(entry, inputs)))
  for (const param of inputs.params) leaf.argument(`<${param}>`, 'An int64 in canonical decimal.')
  if (argument) leaf.argument(argument.usage, argument.description)
  const { request } = operation
  if (request && inputs.takesBody) leaf.argument(...toBodyArgument(request))
  for (const [, option] of [...inputs.query, ...inputs.body]) leaf.addOption(option)
  addOptions(leaf, options)
  return leaf.action(async () => {
    const session = openSession(world, leaf, terminal)
    await (entry.run?.(session, leaf) ?? sendAndPrint(session, entry, inputs, leaf))
  })
}

function toNotes({ operation: id, notes }: WorldCommand, inputs: Inputs): string | undefined {
  const { idField, request }: ControlOperation = controlOperations[id]
  if (request && inputs.takesBody) return describeBody(request)
  return idField === undefined ? notes : 'Without --limit and --after, the whole list is printed.'
}

/** Lists example command lines. Default: the example request. */
function listExamples(entry: WorldCommand, inputs = toInputs(entry)): readonly string[] {
  const { request, pathParameter }: ControlOperation = controlOperations[entry.operation]
  const params = inputs.params.map(() => pathParameter?.example)
  const options = inputs.body.flatMap(([{ path }, { long }]) => {
    const value = readValueAt(request?.example, path)
    if (value === undefined) return []
    return value === true ? [long] : [long, value]
  })
  const body = inputs.takesBody ? [toBodyArguments(request?.example)] : []
  const lines = entry.examples ?? [[...params, ...options, ...body].join(' ')]
  return lines.map((line) => `world ${entry.name} ${line}`.trimEnd())
}

function readValueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value)
}

/** The options that more than one command has. */
interface SharedOptions {
  readonly explain?: boolean
  readonly output?: string
  readonly force?: boolean
}

/** Sends the request of a command, and prints the response. */
async function sendAndPrint(
  { client, print, terminal }: WorldSession,
  entry: WorldCommand,
  inputs: Inputs,
  command: Command,
): Promise<void> {
  const { operation: id } = entry
  const { idField, columns }: ControlOperation = controlOperations[id]
  const params = inputs.params.map((name, at) => [name, readId(name, command.args[at])] as const)
  const query = readFields(inputs.query, command)
  const body = await readSentBody(entry, inputs, command)
  const isWhole = idField !== undefined && Object.keys(query).length === 0
  const result = isWhole
    ? await readPages(client, id as 'listPets') // it has an idField
    : await client.send(id, { params: Object.fromEntries(params), query, body })
  const options: SharedOptions = readOptions(command, entry.options ?? {}, terminal.env)
  const noun = entry.name.replace(/ .*/, '')
  await print(
    result,
    (value, paint) =>
      findText(id)?.(value, paint, options) ?? toResultText(value, noun, paint, columns),
    options,
  )
}

/** @throws {UsageError | ScenarioError} If an argument or an option is invalid. */
async function readSentBody(
  { operation: id, body, toBody }: WorldCommand,
  inputs: Inputs,
  command: Command,
): Promise<unknown> {
  const { request }: ControlOperation = controlOperations[id]
  if (body !== undefined || !request) return body
  const args = command.args.slice(inputs.params.length)
  if (inputs.takesBody) return readBody(args)
  const fields = readFields(inputs.body, command)
  if (inputs.argument) assign(fields, inputs.argument, args[0] ?? '')
  if (toBody) return toBody(fields, args)
  if (request.isOptional || Object.keys(fields).length > 0) return fields
  const line = toCommandLine(command)
  throw new UsageError(`${line} requires at least one option, found none; see ${line} --help`)
}

/** Reads a path parameter. Anything else than an int64, such as `..`, would change the path. */
function readId(name: string, text = ''): string {
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal such as 7'
  throw new UsageError(`${name} must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** Returns the values of the options that are set, as an object with nested objects. */
function readFields(fields: Inputs['body'], command: Command): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [field, option] of fields) {
    const value: unknown = command.getOptionValue(option.attributeName())
    if (value !== undefined) assign(values, field, value as string | true) // as commander sets it
  }
  return values
}

function assign(
  target: Record<string, unknown>,
  field: Field,
  value: string | true,
  [name = '', ...inner]: readonly string[] = field.path,
): void {
  if (inner.length === 0) {
    target[name] = readFieldValue(field, value)
    return
  }
  const nested = { ...(target[name] as object | undefined) } // set by another field
  assign(nested, field, value, inner)
  target[name] = nested
}
