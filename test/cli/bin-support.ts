import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, onTestFinished } from 'vitest'

/** Path of the built program. */
export const bin = fileURLToPath(new URL('../../dist/cjs/cli.js', import.meta.url))

export const runFile = promisify(execFile)

beforeAll(async () => {
  // Fails if the package is not built. `npm test` builds it.
  await access(bin)
})

/** A running process. */
export interface Started {
  readonly child: ChildProcess
  /** The output so far. */
  readonly written: { readonly stdout: string; readonly stderr: string }
  /** Resolves to the exit code and the signal. */
  readonly ended: Promise<unknown[]>
}

/** Starts a process and kills it when the test ends. */
export function start(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, written, ended }
}

/** Runs the program and returns its stdout and the names of the files that it loads. */
export async function runAndListFiles(
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly files: ReadonlySet<string> }> {
  const { stdout } = await runFile(process.execPath, ['--eval', listFiles, '--', bin, ...args])
  const at = stdout.lastIndexOf('\n[')
  const paths: string[] = JSON.parse(stdout.slice(at))
  const names = paths.map((path) => relative(dirname(bin), path))
  return { stdout: stdout.slice(0, at), files: new Set(names) }
}

/** Runs the program, and prints the paths of its files as JSON when it exits. */
const listFiles = `
  process.on('exit', () => process.stdout.write('\\n' + JSON.stringify(Object.keys(require.cache))))
  require(process.argv[1])
`
