import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export const root = join(import.meta.dirname, '..')
const program = join(root, 'node_modules/next/dist/bin/next')

type Environment = Readonly<Record<string, string>>

/** Runs `next` until it ends. Rejects with its output if it fails. */
export async function runNext(args: readonly string[]): Promise<void> {
  const { child, output } = start(args, {})
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`next ${args.join(' ')} failed:\n${output()}`)
}

/** Starts a server of Next.js on a free port and stops it after the test. Returns its URL. */
export async function startNext(
  t: TestContext,
  args: readonly string[],
  env: Environment,
): Promise<string> {
  const { child, output } = start([...args, '--port', '0'], env)
  const closed = once(child, 'close')
  t.after(async () => {
    child.kill()
    // `next start` waits for the connections of a browser, also for those that it has not used.
    const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
    await closed
    clearTimeout(timer)
  })
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, url] = /Local:\s+(http\S+)[\s\S]*Ready in/.exec(output()) ?? []
      if (url) resolve(url)
    })
    closed.then(() => reject(new Error(`next ${args.join(' ')} ended:\n${output()}`)))
  })
}

function start(args: readonly string[], env: Environment) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: {
      ...process.env,
      // A test runner may have set another value.
      NODE_ENV: args[0] === 'dev' ? 'development' : 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, output: () => text }
}
