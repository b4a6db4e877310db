import { promises as fs } from 'node:fs'
import { dirname } from 'node:path'
import { styleText } from 'node:util'
import { readErrorField } from '../service/validation/message.js'
import { UsageError } from '../verify/usage-error.js'

/** An output stream of a process. */
export interface Output {
  /** Calls `done` when the text is written, or with the error. */
  write(text: string, done?: (error?: Error | null) => void): unknown
  readonly isTTY?: boolean | undefined
  /** Width of the terminal in characters. */
  readonly columns?: number | undefined
  /** False after the reader has closed the stream, as `head` does. */
  readonly writable?: boolean | undefined
  /** Number of characters that wait for the reader of a pipe. */
  readonly writableLength?: number | undefined
}

/**
 * Returns an output that escapes C1 control characters and DEL in everything that is written, as JSON
 * does. A terminal may interpret U+009B as the start of a command, and strings of clients and files
 * reach the output.
 */
export function escapeControls(output: Output): Output {
  const toEscape = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`
  const write: Output['write'] = (text, done) =>
    output.write(text.replace(/[\u007f-\u009f]/g, toEscape), done)
  // The other members are read from the stream, where they change.
  return Object.create(output, { write: { value: write } })
}

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** The parts of a process that commands use. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** Calls the listener on the first SIGINT or SIGTERM, which then does not end the process. */
  onStopSignal(listener: (signal: StopSignal) => void): void
  /**
   * Calls the listener with errors that nothing catches, also rejections. They then do not end the
   * process.
   */
  onUncaughtError(listener: (error: unknown) => void): void
  /** Makes files that the process creates from now on readable by its user only. */
  createPrivateFiles(): void
}

type Style = Exclude<Parameters<typeof styleText>[0], unknown[]>

/** Returns a string in a style, or unchanged if the output has no colours. */
export type Paint = (style: Style, text: string) => string

/**
 * Creates a function that colours strings if the output is a terminal. `FORCE_COLOR` and `NO_COLOR`
 * (no-color.org) take precedence.
 */
export function createPaint(output: Output, env: Terminal['env']): Paint {
  if (!hasColours(output, env)) return (_style, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}

function hasColours(output: Output, env: Terminal['env']): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return output.isTTY === true
}

/** Formats an HTTP status in its colour; 0 means that the connection was closed. */
export function toStatusText(status: number, paint: Paint): string {
  if (status === 0) return paint('red', '---')
  if (status >= 500) return paint('red', String(status))
  return paint(status >= 400 ? 'yellow' : 'green', String(status))
}

/** The options of a command that writes a file. */
export interface OutputOptions {
  /** Default: the command writes to stdout. */
  readonly output?: string | undefined
  /** Whether an existing file is replaced. Default: true. */
  readonly force?: boolean
}

/**
 * Checks that the file of `--output` can be written, before a command does its work.
 *
 * @throws {UsageError} If its directory cannot be written, or the file exists and is not to be replaced.
 */
export async function checkOutput({ output, force }: OutputOptions): Promise<void> {
  if (output === undefined) return
  const { W_OK } = fs.constants
  await fs.access(dirname(output), W_OK).catch((error) => rejectOutput(output, error))
  const existing = await fs.lstat(output).catch(() => undefined)
  if (existing?.isDirectory()) rejectOutput(output, { code: 'EISDIR' })
  if (existing && force === false) rejectOutput(output, { code: 'EEXIST' })
}

/**
 * Writes the output of a command to the file of `--output`, or to stdout if it is omitted.
 *
 * @throws {UsageError} If the file cannot be written, or exists and is not to be replaced.
 */
export async function writeOutput(
  text: string,
  { output, force }: OutputOptions,
  { stdout, stderr }: Terminal,
): Promise<void> {
  if (output === undefined) {
    stdout.write(text)
    return
  }
  const flag = force === false ? 'wx' : 'w'
  await fs.writeFile(output, text, { flag }).catch((error) => rejectOutput(output, error))
  stderr.write(`wrote ${output}\n`)
}

/** Why a file cannot be written and what to do, by the code of the system. */
const outputFailures: ReadonlyMap<string | undefined, string> = new Map([
  ['EEXIST', 'it exists; replace it with --force, or set another --output'],
  ['ENOENT', 'its directory does not exist; create it, or set another --output'],
  ['EISDIR', 'it is a directory; add the name of a file'],
])

function rejectOutput(file: string, error: unknown): never {
  const known = outputFailures.get(readErrorField(error, 'code'))
  const reason = known ?? readErrorField(error, 'message') ?? String(error)
  throw new UsageError(`cannot write --output ${file}: ${reason}`)
}
