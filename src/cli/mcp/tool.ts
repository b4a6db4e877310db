import * as z from 'zod/mini'
import type { ControlInput } from '../../control/client/client.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  type ControlResult,
  controlOperations,
} from '../../control/operations.js'
import { annotate } from '../../service/annotate.js'
import { findText } from '../world/texts.js'
import type { Shape } from './schema.js'
import type { ToolWorld } from './session.js'

/** The arguments of a call. Their names are known; the sandbox validates the values. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** What a tool returns. */
export interface ToolOutput {
  /** Short text for the agent, without text of clients and servers. */
  readonly text: string
  /** What clients and servers sent. Follows the text, as a block. Default: nothing. */
  readonly recorded?: readonly unknown[]
  /** The next useful step, as a sentence. */
  readonly next: string
  /** The result as JSON. Its strings are escaped. */
  readonly data: object
}

/** A tool of the MCP server. */
export interface Tool {
  readonly description: string
  /** Whether it takes the key of a world. Default: true. */
  readonly takesKey?: boolean
  /** The arguments, without the key. */
  readonly shape: Shape
  /** Names of fields that its schema omits at every depth. Default: none. */
  readonly hidden?: readonly string[]
  readonly isReadOnly: boolean
  /** Whether it discards state of the world. */
  readonly isDestructive: boolean
  /** @throws {Error} With the next step in its message. */
  run(world: ToolWorld, args: ToolArguments): Promise<ToolOutput>
}

/** What a tool states of itself. Its control operation determines the rest. */
interface ToolSettings extends Partial<Tool> {
  readonly description: string
  /** Name and description of the argument with the whole body. Default: each field is an argument. */
  readonly body?: readonly [name: string, description: string]
  /** What the tool has done, as a sentence. Unused with `run`. */
  readonly done?: string
  /** The next step. Unused with `run`. */
  readonly next?: string
}

/** Derives a tool from a control operation: its arguments, its hints and the request that it sends. */
export function defineTool<Id extends ControlOperationId>(
  id: Id,
  { body, done = '', next = '', ...settings }: ToolSettings,
): Tool {
  const operation: ControlOperation = controlOperations[id]
  return {
    shape: toShape(operation, body),
    isReadOnly: operation.method === 'GET',
    isDestructive: false,
    async run(world, args) {
      const sent = operation.request && { body: body ? args[body[0]] : args }
      const result = await world.client.send(id, { ...sent } as ControlInput<Id>) // the sandbox validates it
      const data = body && Array.isArray(result) ? { [body[0]]: result } : result
      return { text: done, recorded: [toText(id, result)], next, data: Object(data) }
    },
    ...settings,
  }
}

/**
 * Formats the result of a control operation like the command `world`, without the name of the world:
 * the scenario that the key names need not be the active one.
 */
export function toText<Id extends ControlOperationId>(id: Id, result: ControlResult<Id>): string {
  const text = findText(id, 'entries')(result, (_style, text) => text, {})
  return text
    .replace(/^World .*\n/m, '')
    .replace(/^(Next event +)event /m, '$1')
    .trimEnd()
}

/** Returns the arguments that an operation takes. */
function toShape({ query, request }: ControlOperation, body: ToolSettings['body']): Shape {
  const schema: z.core.$ZodType | undefined = query ?? request?.schema
  if (schema && body) return { [body[0]]: annotate(schema, body[1]) }
  return schema instanceof z.ZodMiniObject ? schema.shape : {}
}
