import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, onTestFinished } from 'vitest'

/** Path of the built program. */
export const bin = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url))

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

/** Runs the program and returns its stdout and the names of the packages that it loads. */
export async function runAndListPackages(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly packages: ReadonlySet<string> }> {
  const { stdout } = await runFile(
    process.execPath,
    ['--input-type=module', '-e', listModules, '--', ...args],
    { env: { ...process.env, ...env, BIN: bin } },
  )
  const at = stdout.lastIndexOf('\n[')
  const urls: string[] = JSON.parse(stdout.slice(at))
  const names = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return { stdout: stdout.slice(0, at), packages: new Set(names) }
}

/** Runs the program with a loader that records the URL of every module, and prints them as JSON. */
const listModules = `
  import { register } from 'node:module'
  import { MessageChannel } from 'node:worker_threads'
  const { port1, port2 } = new MessageChannel()
  const urls = []
  port1.on('message', (url) => urls.push(url)).unref()
  const loader = \`
    let port
    export const initialize = (data) => { port = data.port }
    export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }
  \`
  register('data:text/javascript,' + encodeURIComponent(loader), {
    data: { port: port2 }, transferList: [port2],
  })
  process.argv = [process.argv[0], process.env.BIN, ...process.argv.slice(1)]
  await import(process.env.BIN)
  await new Promise((resolve) => setImmediate(resolve))
  process.stdout.write('\\n' + JSON.stringify(urls))
`
