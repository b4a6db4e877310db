import { fileURLToPath } from 'node:url'
import { bin, type Program, startProgram } from '../support/program.js'

/** How a server is started. */
export interface ServerOptions {
  /** Arguments of `serve`. */
  readonly args?: readonly string[]
  /**
   * Environment variables. Options that a build does not have yet are given as variables, which it
   * ignores.
   */
  readonly env?: Readonly<Record<string, string>>
  /** Does not read the standard output after the server has started. */
  readonly ignoresLog?: boolean
  /** Leaves the heap limit to Node.js. Default: 256 MiB. */
  readonly hasDefaultHeap?: boolean
}

const monitor = fileURLToPath(new URL('programs/monitor.js', import.meta.url))

/** Maximum time to wait for an answer of the monitor, in milliseconds. */
const answerMs = 10_000
const heapMiB = 256

/** A server in a process of its own, with a heap of 256 MiB. */
export class Server {
  /** Starts a server. Another build can be attacked for comparison. */
  static async start(options: ServerOptions = {}): Promise<Server> {
    const { args = [], env = {}, ignoresLog = false, hasDefaultHeap = false } = options
    const program = startProgram(
      [
        process.execPath,
        ...(hasDefaultHeap ? [] : [`--max-old-space-size=${heapMiB}`]),
        ...['--expose-gc', '--import', monitor, process.env.ABUSE_SERVER ?? bin],
        ...['serve', '--port', '0', '--log', 'json', ...args],
      ],
      { env: { ...toPlainEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    )
    const [, url = ''] = await program.read(/"api":"(http[^"]+)"/)
    if (ignoresLog) program.child.stdout?.pause()
    return new Server(program, Number(new URL(url).port))
  }

  private constructor(
    readonly program: Program,
    readonly port: number,
  ) {}

  get pid(): number {
    return this.program.child.pid ?? 0
  }

  /** Everything that the server has written to its standard output. */
  get log(): string {
    return this.program.written.stdout
  }

  /** How the process has ended: the exit code or the signal, and its error. Empty while it runs. */
  get exitReason(): string {
    const { exitCode, signalCode } = this.program.child
    const exit = exitCode ?? signalCode
    if (exit === null) return ''
    const [line = ''] = /^.*(?:FATAL ERROR|Error).*$/m.exec(this.program.written.stderr) ?? []
    return `${exit} ${line.trim().slice(0, 200)}`.trim()
  }

  /**
   * Returns the bytes that are in use after a garbage collection, in the heap and in buffers.
   * Undefined if the server ends or does not answer.
   */
  measureRetained(): Promise<number | undefined> {
    const { child, ended } = this.program
    if (this.exitReason !== '') return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, answerMs)
      const finish = (bytes?: number) => {
        clearTimeout(timer)
        resolve(bytes)
      }
      child.once('message', finish)
      void ended.then(() => finish())
      // An error means that the process has ended at this moment.
      child.send('measure', () => {})
    })
  }
}

/** Returns the environment of this process without the variables that set options. */
function toPlainEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env)
  return Object.fromEntries(
    entries.filter(([name]) => !/^(PORT|NODE_OPTIONS|PETSTORE_SANDBOX_.*)$/.test(name)),
  )
}
