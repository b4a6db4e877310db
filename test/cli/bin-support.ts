import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, onTestFinished } from 'vitest'
import { bin, type Program, startProgram } from '../support/program.js'

export const runFile = promisify(execFile)

beforeAll(async () => {
  // Fails if the package is not built. `npm test` builds it.
  await access(bin)
})

/** Starts a process and kills it when the test ends. */
export function start(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const program = startProgram([file, ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => program.end())
  return program
}

/** Starts `serve` with the JSON log, and resolves to its URL when it listens. */
export async function startServe(
  args: readonly string[],
): Promise<Program & { readonly url: string }> {
  const program = start(process.execPath, [bin, '--port', '0', '--log', 'json', ...args])
  const [line] = await program.read(/^\{.*\n/)
  return { ...program, url: JSON.parse(line).listening }
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
