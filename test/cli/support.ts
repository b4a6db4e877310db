import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import type { StopSignal, Terminal } from '../../src/cli/terminal.js'

// A program starts slowly where much else runs; every wait here has a bound of its own.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

type Env = Readonly<Record<string, string>>

/** What a command did. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process to its end. */
export async function run(args: readonly string[], env: Env = {}): Promise<Outcome> {
  const { terminal, read } = createTerminal(env)
  const code = await runCli(args, terminal)
  return { code, ...read() }
}

/** A server that `serve` started, and what it said at its start. */
export interface Served {
  readonly started: { readonly urls: Record<string, string>; readonly [field: string]: unknown }
  /** Exit codes that were asked for at once, without waiting. */
  readonly exits: readonly number[]
  read(): { stdout: string; stderr: string }
  signal(signal: StopSignal): void
  /** Resolves with the exit code when the command has ended. */
  readonly ended: Promise<number>
}

/** Runs `serve` in this process, on a free port and with the JSON log, until the test is over. */
export async function serve(args: readonly string[] = [], env: Env = {}): Promise<Served> {
  const { terminal, read, signal, exits } = createTerminal(env)
  const ended = runCli(['serve', '--port', '0', '--log', 'json', ...args], terminal)
  onTestFinished(async () => {
    await stop(signal, ended)
  })
  await Promise.race([until(() => read().stdout.includes('\n')), ended])
  const [first = ''] = read().stdout.split('\n')
  if (first === '') throw new Error(`serve did not start: ${read().stderr}`)
  return { started: JSON.parse(first), exits, read, signal, ended }
}

/** Asks a command to stop until it has ended: a signal before it listens for one is lost. */
export async function stop(
  signal: (name: StopSignal) => void,
  ended: Promise<number>,
): Promise<number> {
  let hasEnded = false
  const noteEnd = () => {
    hasEnded = true
  }
  ended.then(noteEnd, noteEnd)
  await until(() => {
    if (!hasEnded) signal('SIGTERM')
    return hasEnded
  })
  return ended
}

/** Waits until the condition holds; fails after 15 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not so after 15 s: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A directory of this test, with the given files; what is no text is written as JSON. */
export async function createDirectory(files: Record<string, unknown>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-cli-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), toText(content))
  }
  return directory
}

/** A file's content. */
export function toText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content, null, 2)
}

/** Terminal whose output is kept, and which can be told to send a signal. */
export function createTerminal(env: Env = {}, isTTY = false) {
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<(signal: StopSignal) => void>()
  const exits: number[] = []
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
      return () => listeners.delete(listener)
    },
    exit: (code) => exits.push(code),
  }
  const signal = (name: StopSignal) => {
    for (const listener of listeners) listener(name)
  }
  return { terminal, exits, signal, read: () => ({ ...written }) }
}
