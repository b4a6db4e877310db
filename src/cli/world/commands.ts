import * as z from 'zod/mini'
import { RemoteError } from '../../control/client/error.js'
import { followEvents } from '../../control/client/events.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlBody,
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../control/operations.js'
import { UsageError } from '../../verify/usage-error.js'
import { faultKinds, sequenceKind } from '../../world/faults/schema.js'
import { readScenarioFile } from '../../world/scenario/files.js'
import type { CommandDefinition } from '../command.js'
import { flag, type OptionTable, outputOption } from '../options.js'
import { readValue, toBodyArguments } from './fields.js'
import { printReport, reportOptions } from './report.js'
import type { WorldSession } from './session.js'
import { toRequestsText } from './texts.js'

/**
 * What a command of `world` states of itself. All else is derived from its control operation: the name
 * from its method and path, the description, and the examples, which omit the name of the command.
 */
export interface CommandSettings<Id extends ControlOperationId = ControlOperationId>
  extends Partial<Omit<CommandDefinition<OptionTable>, 'run'>> {
  /** Names of the fields of the body that options set. Default: all, or none with `toBody`. */
  readonly fields?: readonly string[]
  /** Returns the body. Default: the fields that options set. */
  readonly toBody?: (
    fields: Partial<ControlBody<Id>>,
    args: readonly string[],
  ) => ControlBody<Id> | Promise<ControlBody<Id>>
  /** Sends the request and prints the response. Default: like all other commands. */
  run?(session: WorldSession, values: object): Promise<void>
}

const explain = flag('--explain', 'Prints the explanation and the changes of each request.')

/** The operations with several commands, and those whose command states something of itself. */
const settings: {
  readonly [Id in ControlOperationId]?: CommandSettings<Id> | readonly CommandSettings<Id>[]
} = {
  getOverview: { examples: ['', '--environment staging', '--json'] },
  changeClock: [
    { name: 'clock freeze', description: 'Stops the clock.', toBody: () => ({ frozen: true }) },
    { name: 'clock run', description: 'Lets the clock run.', toBody: () => ({ frozen: false }) },
    {
      name: 'clock set',
      description: 'Sets the clock to a time, forwards or backwards.',
      args: [['<time>', 'ISO 8601 with a time zone.']],
      fields: ['frozen'],
      toBody: (fields, [now]) => ({ ...fields, now }),
      examples: ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z --frozen'],
    },
    {
      name: 'clock advance',
      description: 'Advances the clock by a duration.',
      args: [['<duration>', 'ISO 8601 in W, D, H, M and S, or milliseconds.']],
      fields: ['frozen'],
      toBody: (fields, [advance = '']) => ({ ...fields, advance: readValue(advance) as string }), // or a number
      notes: 'A negative duration moves the clock backwards. Put -- before it.',
      examples: ['PT90S', '1500 --frozen', '-- -P1D'],
    },
    {
      name: 'clock next',
      description: 'Advances the clock to the next window reset, end of a ban or sunset.',
      fields: ['frozen'],
      examples: ['', '--frozen'],
      toBody: (fields) => ({ ...fields, advanceTo: 'next-event' }),
    },
  ],
  addFault: { examples: listFaultExamples() },
  replaceFaults: {
    description: 'Replaces all faults.',
    examples: [`'[{"type":"delay","delayMs":500},{"type":"reset"}]'`, 'faults.json'],
  },
  createKey: {
    description: 'Creates a key with a random label, for a private world, and prints only it.',
    examples: ['--plan pro --scenario low-stock'],
  },
  changeQuota: [
    {
      name: 'quota one-left',
      description: 'Leaves one request in the minute window. The second request is rejected.',
      toBody: () => ({ minute: { remaining: 1 } }),
    },
    {
      name: 'quota day-spent',
      description: 'Uses up the day window. Requests are rejected until the window resets.',
      toBody: () => ({ day: { remaining: 0 } }),
    },
    {
      name: 'quota set',
      description: 'Sets the used or remaining requests of the key. Other values stay unchanged.',
      fields: ['minute', 'day'],
      examples: [
        '--minute-remaining 1',
        '--minute-used 0 --day-used 990',
        '--minute-remaining 0 --minute-rejected 9',
      ],
    },
    {
      name: 'quota ban',
      description: 'Bans the key, by default for 300 seconds.',
      fields: ['ban'],
      examples: ['', '--seconds 30'],
      toBody: ({ ban = { seconds: 300 } }) => ({ ban }),
    },
    { name: 'quota lift', description: 'Lifts the ban of the key.', toBody: () => ({ ban: null }) },
  ],
  getReport: {
    description: 'Assesses a client from the requests that its key has sent to the world.',
    options: reportOptions,
    notes: [
      'Exit code: 1 if --fail-on, --min-coverage or --fail-on-empty fails, 2 if there is no report, otherwise 0.',
      'The report of a key that has sent no request fails only with --fail-on-empty.',
    ].join('\n'),
    examples: [
      '',
      '--format html --output report.html',
      '--format junit --output report.xml --fail-on error',
      '--fail-on warning --min-coverage 80 --ignore deprecated-in-use',
    ],
    run: printReport,
  },
  getJournal: { description: 'Shows the retained requests, and those without a response yet.' },
  listRequests: {
    options: { explain },
    examples: [
      '--limit 5 --explain',
      '--operation updateInventory --status 400',
      '--unmatched --since 2026-01-01T09:00:00Z',
    ],
  },
  streamEvents: {
    description: 'Prints requests as the world receives them, until Ctrl+C.',
    options: { explain },
    notes: 'With --json, each request is one line of JSON.',
    examples: ['', '--explain', '--json'],
    run: printEvents,
  },
  putScenario: {
    name: 'use',
    description: 'Restarts the world from a scenario, or from several merged scenarios.',
    args: [['<scenario...>', 'Names or .json files, merged from left to right.']],
    examples: ['low-stock', 'low-stock flaky', 'seen.json'],
    async toBody(_, args) {
      const sources = await Promise.all(args.map(readSource))
      // The world is named after a single scenario only if it is not in an array.
      const source = sources.length === 1 ? sources[0] : sources
      return source as ControlBody<'putScenario'> // the sandbox validates it
    },
  },
  getSnapshot: {
    description: 'Exports the whole state of the world as a scenario file.',
    options: { output: outputOption(), force: flag('--force', 'Replaces an existing file.') },
    examples: ['', '--name out-of-nemo --output seen.json'],
  },
}

const verbs = { GET: 'show', POST: 'add', PUT: 'set', PATCH: 'change', DELETE: 'remove' } as const

/** A command of `world`: it sends one control request. */
export interface WorldCommand extends CommandSettings {
  readonly id: ControlOperationId
  readonly operation: ControlOperation
  readonly name: string
}

/** Every command of `world`, in the order of the help. The first one is the default. */
export const worldCommands: readonly WorldCommand[] = controlOperationIds.flatMap((id) => {
  const commands: readonly object[] = [settings[id] ?? {}].flat()
  const operation: ControlOperation = controlOperations[id]
  return commands.map((command) => ({ id, operation, name: toName(id, operation), ...command }))
})

/**
 * Returns the words that run the command of an operation: `pets change` for `PATCH /pets/{petId}`,
 * and `reset` for `POST /reset`, the only operation with this path.
 */
function toName(id: ControlOperationId, { method, path, response }: ControlOperation): string {
  const [noun = 'show', ...rest] = path.split('/').slice(1)
  const isAlone = controlOperationIds.every(
    (other) => other === id || controlOperations[other].path.split('/')[1] !== noun,
  )
  if (isAlone) return noun
  const last = rest.find((part) => !part.startsWith('{'))
  if (last !== undefined) return `${noun} ${last}`
  if (rest.length === 0 && method === 'DELETE') return `${noun} clear`
  const isList = method === 'GET' && response.body?.schema instanceof z.ZodMiniArray
  return `${noun} ${isList ? 'list' : verbs[method]}`
}

function listFaultExamples(): readonly string[] {
  const kinds = Object.entries(faultKinds)
  return [
    ...kinds.map(([type, { example }]) => toBodyArguments({ type, ...example })),
    'type=status status=503 operation=getPet atMost=2',
    `type=status status=502 'body=<h1>502 Bad Gateway</h1>' 'headers={"Via":["1.1 a","1.1 b"]}'`,
    `type=reset phase=after operation=updateInventory 'match={"petId":7}' skip=1 atMost=1`,
    `type=delay 'delayMs={"min":100,"max":400}'`,
    `'sequence=${JSON.stringify(sequenceKind.example.sequence)}'`,
  ]
}

/** A name is in kebab-case, so a source with a dot or a slash is a file. */
async function readSource(source: string): Promise<unknown> {
  return /[./\\]/.test(source) ? (await readScenarioFile(source)).file : source
}

/**
 * Prints the requests that a world receives until SIGINT or SIGTERM, or until the reader closes
 * stdout. Opens the stream again when the world has been restarted or evicted.
 *
 * @throws {RemoteError | UsageError} If the sandbox rejects the request or ends the stream for another
 * reason.
 */
async function printEvents(
  { client, url, terminal, isJson, paint }: WorldSession,
  options: { readonly explain?: boolean },
): Promise<void> {
  const { stdout, stderr } = terminal
  const stopping = new AbortController()
  terminal.onStopSignal(() => stopping.abort())
  let note = `following the requests at ${url}; press Ctrl+C to stop`
  let isOpen = false
  for await (const event of followEvents(client, stopping.signal)) {
    if (event.type === 'open') {
      isOpen = true
      stderr.write(`${note}\n`)
    } else if (event.type === 'request') {
      const { entry } = event
      const text = isJson ? `${JSON.stringify(entry)}\n` : toRequestsText([entry], paint, options)
      stdout.write(text)
      if (stdout.writable === false) return
    } else if (event.type === 'end') {
      isOpen = false
      note = `the world was ${event.reason}; following the requests of the new one`
    } else if (isOpen && event.error instanceof RemoteError) {
      throw new UsageError(
        `the sandbox at ${url} ended the stream of requests; run the command again when the sandbox responds`,
      )
    } else throw event.error
  }
}
