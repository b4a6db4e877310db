import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { startProgram } from '../support/program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const runFile = promisify(execFile)

const environment = {
  ...process.env,
  NO_COLOR: '1',
  BROWSER: 'none',
  PORT: '0',
  PETSTORE_SANDBOX_NOTICE: '0',
  // Skips the build of `npm start`, which would replace files that concurrent tests use.
  npm_config_ignore_scripts: 'true',
}

/** Returns the sh blocks of a page. */
export function readShellBlocks(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block)
}

/**
 * Runs the built command line, as `npx petstore-sandbox` does in a project that has the package, and
 * as `npm start` does here.
 */
const programs = `
npx() {
  if [ "$1" = --no ]; then shift; fi
  shift
  node '${root}dist/cjs/cli.js' "$@"
}
npm() {
  if [ "$1" != start ]; then command npm "$@"; return; fi
  shift; if [ "$1" = -- ]; then shift; fi
  npx petstore-sandbox "$@"
}
`

/** Runs a command in the root of the repository and resolves to its output. */
export async function run(command: string): Promise<string> {
  const options = { cwd: root, env: environment, timeout: 240_000 }
  const { stdout } = await runFile('bash', ['-c', programs + command], options)
  return stdout
}

/** Options of {@link start}. */
export interface StartOptions {
  readonly cwd?: string
  /** Environment variables in addition to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Starts a server with a command of the pages, and stops it at the end of the test. Resolves to its
 * root URL. Uses a free port if the command does not set one.
 *
 * @param options Default: the root of the repository, and scripts such as `prestart` are skipped.
 */
export async function start(command: string, options: StartOptions = {}): Promise<string> {
  const program = startProgram(['bash', '-c', (options.cwd ? '' : programs) + command], {
    cwd: root,
    ...options,
    env: { ...environment, ...options.env },
    detached: true, // creates a process group for npm and the program
  })
  const { child } = program
  const closed = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await closed
  })
  const [, url = ''] = await program.read(/(?:API +|Local: +|"api":")(http:\/\/[\w.:]+)[^\n]*\n/)
  return url
}

/** The response to one curl command. */
export interface CurlResponse {
  readonly status: number
  /** The status line and the headers, if the command has the option `-i`. */
  readonly head: string
  readonly body: unknown
}

/** Makes each curl silent, and appends a line with the status to its output. */
const prelude = String.raw`set -eu
curl() { command curl --silent --show-error --max-time 30 --write-out '\n--- %{http_code}\n' "$@"; }
`

/**
 * Runs a block in one shell, with the URL of the pages replaced by the URL of a running sandbox.
 *
 * @throws {Error} If a command fails.
 */
export async function paste(block: string, url: string): Promise<CurlResponse[]> {
  const output = await run(prelude + block.replaceAll('http://127.0.0.1:4010', url))
  const responses = output.matchAll(/(HTTP\/[\s\S]*?\r\n\r\n)?(.*)\n--- (\d+)\n/g)
  return [...responses].map(([, head = '', body = '', status]) => ({
    status: Number(status),
    head,
    // That of a fault may be a page.
    body: body.startsWith('<') ? body : JSON.parse(body),
  }))
}
