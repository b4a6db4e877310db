import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import type { StopSignal, Terminal } from '../../src/cli/terminal.js'
import { createHttpClient, type SendRow } from '../support/http-client.js'

type Env = Readonly<Record<string, string>>

/** The exit code and output of a command. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end, in this process. */
export async function run(args: readonly string[], env: Env = {}): Promise<Outcome> {
  const { terminal, read } = createTerminal(env)
  const code = await runCli(args, terminal)
  return { code, ...read() }
}

/** Starts a command, and stops it when the test ends. */
export function startCommand(args: readonly string[], env: Env = {}, isTTY = false) {
  const { terminal, ...others } = createTerminal(env, isTTY)
  const ended = runCli(args, terminal)
  onTestFinished(async () => {
    await stop(others.signal, ended)
  })
  return { ...others, ended }
}

/** Runs a command to its end. Stops `world events`, which runs until a signal, when `use` has ended. */
export async function runToEnd(
  args: readonly string[],
  use: (read: Served['read']) => Promise<void> = async () => {},
): Promise<Outcome> {
  const { terminal, read, signal } = createTerminal()
  const ended = runCli(args, terminal)
  if (args.includes('events')) {
    await until(() => read().stderr.includes('\n'))
    await use(read)
    signal('SIGINT')
  }
  return { code: await ended, ...read() }
}

/** A running `serve` command. */
export interface Served {
  /** The first line of the JSON log. */
  readonly started: { readonly urls: Record<string, string>; readonly [field: string]: unknown }
  /** Sends a request to the server. */
  readonly send: SendRow
  read(): { stdout: string; stderr: string }
  signal(signal: StopSignal): void
  /** Resolves to the exit code when the command ends. */
  readonly ended: Promise<number>
}

/** Runs `serve` in this process, on a free port and with the JSON log, until the test ends. */
export async function serve(args: readonly string[] = [], env: Env = {}): Promise<Served> {
  const serving = ['serve', '--port', '0', '--log', 'json', ...args]
  const { read, signal, ended } = startCommand(serving, env)
  await Promise.race([until(() => read().stdout.includes('\n')), ended])
  const [first = ''] = read().stdout.split('\n')
  if (first === '') throw new Error(`serve did not start: ${read().stderr}`)
  const started = JSON.parse(first)
  return { started, send: createHttpClient(started.listening), read, signal, ended }
}

/** Returns the events in the JSON log of `serve`, oldest first. */
export function readEvents({ read }: Served): Record<string, unknown>[] {
  const lines = read().stdout.trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Runs `serve` on a free port until `use` has ended, and returns its output. */
export async function runServe(
  args: readonly string[],
  env: Env = {},
  use: (url: string, read: Served['read']) => Promise<void> = async () => {},
): Promise<Outcome> {
  const { terminal, read, signal } = createTerminal(env)
  const ended = runCli(['serve', '--port', '0', ...args], terminal)
  const hasStarted = () => /Ctrl\+C\n\n|"started".*\n/.test(read().stdout)
  await Promise.race([until(hasStarted), ended])
  const [url = ''] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(read().stdout) ?? []
  await use(url, read)
  return { code: await stop(signal, ended), ...read() }
}

/** Sends SIGINT until a command ends, because a signal is lost before the command listens for it. */
async function stop(signal: (name: StopSignal) => void, ended: Promise<number>): Promise<number> {
  let hasEnded = false
  const noteEnd = () => {
    hasEnded = true
  }
  ended.then(noteEnd, noteEnd)
  await until(() => {
    if (!hasEnded) signal('SIGINT')
    return hasEnded
  })
  return ended
}

/** Polls a condition until it is true. Throws after one minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timeout of 60 s: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Creates a temporary directory with files. Content that is not a string is written as JSON. */
export async function createDirectory(files: Record<string, unknown>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-cli-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), toText(content))
  }
  return directory
}

/** Returns the content of a file. */
export function toText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content, null, 2)
}

/** Creates a terminal that records its output, and a function that sends it a signal. */
export function createTerminal(env: Env = {}, isTTY = false) {
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<(signal: StopSignal) => void>()
  const uncaughtListeners: ((error: unknown) => void)[] = []
  const toOutput = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (text: string) => {
      written[name] += text
    },
  })
  const terminal: Terminal = {
    env,
    stdout: toOutput('stdout'),
    stderr: toOutput('stderr'),
    onStopSignal(listener) {
      listeners.add(listener)
    },
    onUncaughtError(listener) {
      uncaughtListeners.push(listener)
    },
    createPrivateFiles() {},
  }
  const signal = (name: StopSignal) => {
    for (const listener of listeners) listener(name)
  }
  return { terminal, uncaughtListeners, signal, read: () => ({ ...written }) }
}
