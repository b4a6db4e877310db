import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readText } from '../../support/event-stream.js'
import { createHttpClient, type HttpResponse, type SendRow } from '../../support/http-client.js'
import { bin, type Program, startProgram } from '../../support/program.js'
import { RedisServer } from './redis.js'

/** A scenario whose clock stands still, so that no window resets while a slow machine runs a test. */
const frozen = { name: 'frozen', extends: ['default'], clock: { frozen: true } }

export interface ClusterRequest {
  /** Default: the next replica, in turn. */
  readonly replica?: number
  readonly method?: string
  readonly path: string
  /** Default: `sbx_enterprise_frozen`. */
  readonly key?: string
  readonly json?: unknown
}

/** A process of the command line that serves the sandbox. */
interface ReplicaProcess {
  readonly program: Program
  readonly port: number
  readonly send: SendRow
}

/** Processes of `serve --redis` that share a Redis server of their own. Requests reach them in turn. */
export class Cluster {
  readonly #processes: ReplicaProcess[] = []
  readonly #agent = new Agent({ keepAlive: true, timeout: 2000 })
  #sent = 0

  private constructor(
    readonly server: RedisServer,
    readonly directory: string,
    readonly options: readonly string[],
  ) {}

  /** Starts replicas with the same additional options. */
  static async start(count: number, ...options: string[]): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-cluster-'))
    await writeFile(join(directory, 'frozen.json'), JSON.stringify(frozen))
    const cluster = new Cluster(await RedisServer.start(), directory, options)
    await Promise.all(Array.from({ length: count }, (_, replica) => cluster.launch(replica)))
    return cluster
  }

  get size(): number {
    return this.#processes.length
  }

  /** Starts a replica, or starts it again, with options of Node.js. */
  async launch(replica: number, nodeOptions: readonly string[] = []): Promise<void> {
    const args = ['serve', '--port', '0', '--log', 'silent', '--notice', '0']
    const program = startProgram([
      ...[process.execPath, ...nodeOptions, bin, ...args, '--redis', this.server.url],
      ...['--scenarios', this.directory, ...this.options],
    ])
    const [url, port] = await program.read(/http:\/\/127\.0\.0\.1:(\d+)/)
    const send = createHttpClient(url, { agent: this.#agent })
    this.#processes[replica] = { program, port: Number(port), send }
  }

  /** Ends a replica with a signal. Resolves to its exit code. */
  async end(replica: number, signal: NodeJS.Signals): Promise<number | null> {
    const { program } = this.#find(replica)
    await program.end(signal)
    return program.child.exitCode
  }

  /** Stops the execution of a replica for a time. Its connections stay open. */
  async pause(replica: number, ms: number): Promise<void> {
    const { child } = this.#find(replica).program
    child.kill('SIGSTOP')
    await wait(ms)
    child.kill('SIGCONT')
  }

  /** Returns what a replica wrote to stderr. */
  readErrors(replica: number): string {
    return this.#find(replica).program.written.stderr
  }

  /** Sends a request. Rejects if the connection closes before the response is complete. */
  async send(sent: ClusterRequest): Promise<HttpResponse> {
    const { replica, method = 'GET', path, key = 'sbx_enterprise_frozen', json } = sent
    const response = await this.#find(replica ?? this.#sent++ % this.size).send(
      `${method} ${path}`,
      { key, json },
    )
    if (response.isCutOff) throw new Error('the response is incomplete')
    return response
  }

  /** Opens the event stream of a world. Returns a function that resolves to the next event. */
  async openStream(replica: number, key: string): Promise<() => Promise<string>> {
    const url = `http://127.0.0.1:${this.#find(replica).port}/sandbox/events`
    const stream = readText(await fetch(url, { headers: { Authorization: `Bearer ${key}` } }))
    await stream.next('\n\n')
    return async () => (await stream.next('\n\n')).trimEnd()
  }

  /** Ends all replicas and the Redis server. */
  async stop(): Promise<void> {
    this.#agent.destroy()
    await Promise.all(this.#processes.map((_, replica) => this.end(replica, 'SIGKILL')))
    await this.server.stop()
    await rm(this.directory, { recursive: true })
  }

  #find(replica: number): ReplicaProcess {
    const found = this.#processes[replica]
    if (!found) throw new Error(`there is no replica ${replica}`)
    return found
  }
}
