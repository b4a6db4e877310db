// Child processes that are measured.
import { execFile, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * A program of bench/programs or bench/servers.
 *
 * @typedef {object} Program
 * @property {any} ready First message of the program.
 * @property {number} pid
 * @property {(message: any) => Promise<any>} ask Sends a message and returns the answer.
 * @property {() => void} stop
 */

/** @typedef {{ file: URL, args?: (string | number)[], node?: string, execArgv?: string[] }} ProgramOptions */

/**
 * Starts programs, calls a function with them, and stops them.
 *
 * @template Result
 * @param {Record<string, ProgramOptions>} options By name.
 * @param {(programs: Record<string, Program>) => Promise<Result>} run
 * @returns {Promise<Result>}
 */
export async function withPrograms(options, run) {
  const programs = {}
  try {
    for (const [name, each] of Object.entries(options)) programs[name] = await startProgram(each)
    return await run(programs)
  } finally {
    for (const { stop } of Object.values(programs)) stop()
  }
}

/**
 * Starts a program and waits until it is ready.
 *
 * @param {ProgramOptions} options
 * @returns {Promise<Program>}
 */
async function startProgram({ file, args = [], node = process.execPath, execArgv }) {
  const child = fork(file, args.map(String), { execPath: node, execArgv })
  const receive = async () => {
    const stopped = new AbortController()
    const { signal } = stopped
    const exit = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${file.pathname} exited with ${code}`)
    })
    try {
      const [message] = await Promise.race([once(child, 'message', { signal }), exit])
      return message
    } finally {
      exit.catch(() => {})
      stopped.abort()
    }
  }
  const ask = (message) => {
    child.send(message)
    return receive()
  }
  return {
    ready: await receive(),
    pid: child.pid,
    ask,
    stop: () => child.connected && child.disconnect(),
  }
}

/**
 * Runs code in a new process, and returns the JSON that it prints.
 *
 * @param {string} node
 * @param {{ code: string, type: 'module' | 'commonjs', cwd: string }} options
 * @throws {Error} If the process fails.
 */
export async function runCode(node, { code, type, cwd }) {
  const { stdout } = await execute(node, [`--input-type=${type}`, '--eval', code], { cwd })
  return JSON.parse(stdout)
}

/**
 * Lets programs run on the last core only, and this process on the others, while a function runs. Does
 * nothing on one core, and without the command `taskset` of Linux.
 *
 * @template Result
 * @param {number[]} pids
 * @param {() => Promise<Result>} run
 * @returns {Promise<Result>}
 */
export async function withSeparateCores(pids, run) {
  const last = availableParallelism() - 1
  if (last === 0) return run()
  const assign = (cores, pid) => spawnSync('taskset', ['-apc', cores, String(pid)])
  for (const pid of pids) assign(String(last), pid)
  assign(`0-${last - 1}`, process.pid)
  try {
    return await run()
  } finally {
    assign(`0-${last}`, process.pid)
  }
}

/** Waits until a child process has exited; kills it after some seconds. */
export async function stopProcess(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(timer)
}

/** Returns a port that was free a moment ago. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
