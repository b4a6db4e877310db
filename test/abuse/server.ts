import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** How a server is started. */
export interface ServerOptions {
  /** Arguments of `serve`. */
  readonly args?: readonly string[]
  /**
   * Environment variables. Options that a build does not have yet are given as variables, which it
   * ignores.
   */
  readonly env?: Readonly<Record<string, string>>
  /** Connects the standard output to a pipe that is not read after the server has started. */
  readonly ignoresLog?: boolean
  /** Leaves the heap limit to Node.js. Default: 256 MiB. */
  readonly hasDefaultHeap?: boolean
}

/** The longest block of the event loop in milliseconds: CPU time, and real time. */
export interface Blocks {
  readonly blockMs: number
  readonly blockWallMs: number
}

type MonitorMessage =
  | ({ readonly type: 'begin' | 'block' | 'end' } & Blocks)
  | { readonly type: 'retained'; readonly retainedBytes: number }

/** Program that is attacked. Another build can be attacked for comparison. */
const program =
  process.env.ABUSE_SERVER ?? fileURLToPath(new URL('../../dist/cjs/cli.js', import.meta.url))
const monitor = fileURLToPath(new URL('programs/block-monitor.js', import.meta.url))

/** Maximum time to wait for the start of a server, in milliseconds. */
const startMs = 20_000
/** Maximum time to wait for an answer of the monitor, in milliseconds. */
const answerMs = 10_000
const heapMiB = 256

/** A server in a process of its own, with a heap of 256 MiB. */
export class Server {
  /** The exit code or the signal with which the process ended; undefined while it runs. */
  exit: string | number | undefined
  port = 0
  #blocks: Blocks = { blockMs: 0, blockWallMs: 0 }
  readonly #child: ChildProcess
  readonly #directory: string

  /**
   * Starts a server.
   *
   * @throws {Error} If the server does not start.
   */
  static async start(options: ServerOptions = {}): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), 'abuse-')), options)
    try {
      await server.#waitForStart(options)
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  private constructor(directory: string, options: ServerOptions) {
    const { args = [], env = {}, ignoresLog = false, hasDefaultHeap = false } = options
    this.#directory = directory
    const files = ['out', 'err'].map((name) => openSync(join(directory, name), 'w'))
    const [out = 'ignore', err = 'ignore'] = files
    this.#child = spawn(
      process.execPath,
      [
        ...(hasDefaultHeap ? [] : [`--max-old-space-size=${heapMiB}`]),
        '--import',
        monitor,
        program,
        ...['serve', '--port', '0', '--log', 'json'],
        ...args,
      ],
      {
        env: { ...toPlainEnvironment(), ...env },
        stdio: ['ignore', ignoresLog ? 'pipe' : out, err, 'ipc'],
      },
    )
    for (const file of files) closeSync(file)
    this.#child.on('exit', (code, signal) => {
      this.exit = code ?? signal ?? 'unknown'
    })
    this.#child.on('message', (message: MonitorMessage) => {
      if ('blockMs' in message) this.#blocks = message
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Everything that the server has written to its standard output. Empty if it is a pipe. */
  get log(): string {
    return readFileSync(join(this.#directory, 'out'), 'utf8')
  }

  /** Everything that the server has written to its standard error. */
  get errors(): string {
    return readFileSync(join(this.#directory, 'err'), 'utf8')
  }

  /** Begins to measure blocks. */
  async beginMeasurement(): Promise<void> {
    await this.#ask('begin')
    this.#blocks = { blockMs: 0, blockWallMs: 0 }
  }

  /**
   * Returns the longest blocks since the beginning. If the server does not answer, the block is the
   * CPU time that its event-loop thread has used since the start.
   */
  async endMeasurement(): Promise<Blocks> {
    const answer = await this.#ask('end')
    const { blockMs, blockWallMs } = this.#blocks
    if (answer !== undefined || this.exit !== undefined) return { blockMs, blockWallMs }
    const ms = readCpuMs(this.pid)
    return { blockMs: Math.max(blockMs, ms), blockWallMs: Math.max(blockWallMs, ms) }
  }

  /**
   * Returns the bytes that are in use after a garbage collection, in the heap and in buffers.
   * Undefined if the server does not answer.
   */
  async measureRetained(): Promise<number | undefined> {
    const answer = await this.#ask('retained')
    return answer?.type === 'retained' ? answer.retainedBytes : undefined
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.exit === undefined) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await ended
    }
    await rm(this.#directory, { recursive: true })
  }

  /**
   * Sends a message to the monitor and returns its answer. Returns undefined if the server ends or
   * does not answer.
   */
  #ask(type: MonitorMessage['type']): Promise<MonitorMessage | undefined> {
    if (this.exit !== undefined) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const finish = (message?: MonitorMessage) => {
        clearTimeout(timer)
        this.#child.off('message', onMessage).off('exit', onExit)
        resolve(message)
      }
      const onMessage = (message: MonitorMessage) => {
        if (message.type === type) finish(message)
      }
      const onExit = () => finish()
      const timer = setTimeout(finish, answerMs)
      this.#child.on('message', onMessage).on('exit', onExit)
      // An error means that the process has ended at this moment, which `exit` reports.
      this.#child.send(type, () => {})
    })
  }

  async #waitForStart({ ignoresLog = false }: ServerOptions): Promise<void> {
    let output = ''
    const { stdout } = this.#child
    const onData = (chunk: Buffer) => {
      output += chunk
    }
    stdout?.on('data', onData)
    const deadline = performance.now() + startMs
    while (!findUrl(ignoresLog ? output : this.log)) {
      if (this.exit !== undefined || performance.now() > deadline) {
        throw new Error(`the server did not start (exit: ${this.exit}): ${this.errors}`)
      }
      await sleep(10)
    }
    stdout?.off('data', onData).pause()
    this.port = Number(new URL(findUrl(ignoresLog ? output : this.log) ?? '').port)
  }
}

/** Finds the address of the API in the line that the server writes when it has started. */
function findUrl(output: string): string | undefined {
  return /"api":"(http[^"]+)"/.exec(output)?.[1]
}

/** Returns the environment of this process without the variables that set options. */
function toPlainEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env)
  const kept = names.filter((name) => !/^(PORT|NODE_OPTIONS|PETSTORE_SANDBOX_.*)$/.test(name))
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]))
}

/** Returns the CPU time of the first thread of a process, in milliseconds. */
function readCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
