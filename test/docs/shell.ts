import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const runFile = promisify(execFile)

const environment = {
  ...process.env,
  NO_COLOR: '1',
  BROWSER: 'none',
  PORT: '0',
  // `npm start` builds first, which would pull the program from under the tests beside this one.
  npm_config_ignore_scripts: 'true',
}

/** The blocks of a page that a reader pastes into a shell. */
export function readShellBlocks(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block)
}

/** Runs a command to its end, in the root of the repository, and resolves to what it prints. */
export async function run(command: string): Promise<string> {
  const options = { cwd: root, env: environment, timeout: 60_000 }
  const { stdout } = await runFile('bash', ['-c', command], options)
  return stdout
}

/**
 * Starts a server with a command of the README until the test is over; resolves, when it listens,
 * to its root URL. A port that the command does not name is a free one.
 */
export async function start(command: string): Promise<string> {
  const child = spawn('bash', ['-c', command], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group, which npm and the program both belong to
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await closed
  })
  let written = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk
      const [, url] = /(?:API|Local:) +(http:\/\/[\w.:]+)\S*\n/.exec(written) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    closed.then(() => reject(new Error(`${command} ended before it listened: ${written}`)), reject)
  })
}

/** What one curl line was answered. */
export interface Answer {
  readonly status: number
  /** The status line and the headers, where the line asks for them with `-i`. */
  readonly head: string
  readonly body: unknown
}

/** Each curl as it is pasted, but that it is quiet and writes a line with the status at its end. */
const prelude = String.raw`set -eu
curl() { command curl --silent --show-error --max-time 30 --write-out '\n--- %{http_code}\n' "$@"; }
`

/**
 * Pastes a block into one shell, with the README's address replaced by that of a running sandbox.
 *
 * @throws {Error} When a line of it fails.
 */
export async function paste(block: string, url: string): Promise<Answer[]> {
  const output = await run(prelude + block.replaceAll('http://127.0.0.1:4010', url))
  const answers = output.matchAll(/(HTTP\/[\s\S]*?\r\n\r\n)?(.*)\n--- (\d+)\n/g)
  return [...answers].map(([, head = '', body = '', status]) => ({
    status: Number(status),
    head,
    body: JSON.parse(body),
  }))
}
