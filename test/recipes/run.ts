import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a program in a folder.
 *
 * @throws {Error} If it fails or runs for more than seven minutes. The message has its output.
 */
export async function run(
  [program = '', ...args]: readonly string[],
  folder: string,
  timeoutMs = 420_000,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder,
    env: removeRunnerVariables(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // creates a process group for the program and those that it starts
  })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const timer = setTimeout(() => {
    output += `\nended after ${timeoutMs / 1000} s`
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, timeoutMs)
  const [code] = await once(child, 'close').finally(() => clearTimeout(timer))
  if (code === 0) return
  throw new Error(`${[program, ...args].join(' ')} failed in ${folder}:\n${output}`)
}

/** Removes the variables by which this vitest changes the programs of a project. */
function removeRunnerVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = [
    'NODE_ENV',
    'MODE',
    'DEV',
    'PROD',
    'SSR',
    'BASE_URL',
    'TEST',
    'VITEST',
    'NODE_OPTIONS',
  ]
  const inherited = Object.entries(env).filter(
    ([name]) => !names.includes(name) && !name.startsWith('VITEST_'),
  )
  return { ...Object.fromEntries(inherited), NO_COLOR: '1' }
}
