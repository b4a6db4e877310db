import * as z from 'zod/mini'
import { operationIds } from '../../service/operations/operations.js'
import { toPlainLine } from '../../service/validation/message.js'
import {
  describeFault,
  type Fault,
  faultKinds,
  faultSchema,
  sequenceKind,
} from '../../world/faults/schema.js'
import type { Paint } from '../terminal.js'
import {
  fieldNotes,
  readFields,
  readJsonArgument,
  toFieldArguments,
  toFieldLines,
} from './arguments.js'
import { defineCommand, type WorldGroup } from './command.js'

const kinds = Object.entries(faultKinds)
const documentedKinds = [...kinds, ['sequence', sequenceKind] as const]

const furtherExamples = [
  `type=status status=502 'body=<h1>502 Bad Gateway</h1>' 'headers={"Via":["1.1 a","1.1 b"]}'`,
  `type=reset phase=after operation=updateInventory 'match={"petId":7}' skip=1 atMost=1`,
  `type=delay 'delayMs={"min":100,"max":400}'`,
  `'sequence=${JSON.stringify(sequenceKind.example.sequence)}'`,
]

export const faults: WorldGroup = {
  name: 'faults',
  description: 'Lists, adds, replaces or removes faults: simulated failures of the service.',
  commands: [
    defineCommand({
      name: 'list',
      operation: 'listFaults',
      description: 'Lists the faults in their order, with their remaining uses.',
      examples: [''],
      toText: toFaultsText,
    }),
    defineCommand({
      name: 'add',
      operation: 'addFault',
      description: 'Adds a fault after the others.',
      arguments: [['<fault...>', 'Fields as name=value, a JSON object, or a .json file.']],
      notes: describeKinds(),
      examples: [
        ...kinds.map(([type, { example }], at) => {
          const uses = at === 0 ? { operation: operationIds[0], atMost: 2 } : {}
          return toFieldArguments({ type, ...example, ...uses })
        }),
        ...furtherExamples,
      ],
      toInput: async ({ args }) => ({ json: JSON.stringify(await readFields(args)) }),
      toText: toFaultsText,
    }),
    defineCommand({
      name: 'set',
      operation: 'replaceFaults',
      description: 'Replaces all faults.',
      arguments: [['<faults>', 'A JSON array, or a .json file that contains one.']],
      examples: [
        toFieldArguments(kinds.slice(0, 2).map(([type, { example }]) => ({ type, ...example }))),
        'faults.json',
      ],
      toInput: async ({ args: [text = ''] }) => ({
        json: JSON.stringify(await readJsonArgument(text, 'faults')),
      }),
      toText: toFaultsText,
    }),
    defineCommand({
      name: 'clear',
      operation: 'clearFaults',
      description: 'Removes all faults.',
      examples: [''],
      toText: toFaultsText,
    }),
  ],
}

/** Describes every kind of fault with its fields, and the fields that all kinds have. */
function describeKinds(): string {
  const lines = documentedKinds.flatMap(([type, { description, fields }]) => [
    `  type=${type}: ${description}`,
    ...toFieldLines(fields, '    '),
  ])
  const common = ['Fields of every type:', ...toFieldLines(toCommonFields())]
  return ['Types and their fields:', ...lines, '', ...common, '', fieldNotes].join('\n')
}

function toCommonFields(): z.core.$ZodShape {
  const variants = faultSchema instanceof z.ZodMiniDiscriminatedUnion ? faultSchema.def.options : []
  const [first] = variants
  if (!(first instanceof z.ZodMiniObject)) return {}
  const own = new Set(['type', ...kinds.flatMap(([, { fields }]) => Object.keys(fields))])
  return Object.fromEntries(Object.entries(first.shape).filter(([name]) => !own.has(name)))
}

function toFaultsText(list: readonly Fault[], paint: Paint): string {
  if (list.length === 0) return 'no faults\n'
  return list
    .map((fault, at) => `${paint('bold', `${at + 1}`)}  ${toPlainLine(describeFault(fault))}\n`)
    .join('')
}
