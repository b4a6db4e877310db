import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../../dist/cjs/cli.js', import.meta.url))

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

export interface ClusterResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it with what they expect
  readonly json: any
}

/** A process of the command line that serves the sandbox. */
interface ReplicaProcess {
  readonly child: ChildProcess
  readonly port: number
  readonly readErrors: () => string
}

/** Processes of `serve --redis` that share a Redis. Requests reach them in turn. */
export class Cluster {
  readonly #processes: ReplicaProcess[] = []
  readonly #agent = new Agent({ keepAlive: true, timeout: 2000 })
  #sent = 0

  private constructor(
    readonly url: string,
    readonly directory: string,
    readonly options: readonly string[],
  ) {}

  /** Starts replicas with the same additional options. */
  static async start(url: string, count: number, ...options: string[]): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-cluster-'))
    await writeFile(join(directory, 'frozen.json'), JSON.stringify(frozen))
    const cluster = new Cluster(url, directory, options)
    await Promise.all(Array.from({ length: count }, (_, replica) => cluster.launch(replica)))
    return cluster
  }

  get size(): number {
    return this.#processes.length
  }

  /** Starts a replica, or starts it again, with options of Node.js. */
  async launch(replica: number, nodeOptions: readonly string[] = []): Promise<void> {
    const args = ['serve', '--port', '0', '--log', 'silent', '--notice', '0', '--redis', this.url]
    const child = spawn(
      process.execPath,
      [...nodeOptions, bin, ...args, '--scenarios', this.directory, ...this.options],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const port = await readPort(child, () => errors)
    this.#processes[replica] = { child, port, readErrors: () => errors }
  }

  /** Ends a replica with a signal. Resolves to its exit code. */
  async end(replica: number, signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this.#find(replica)
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = await exited
    return code
  }

  /** Stops the execution of a replica for a time. Its connections stay open. */
  async pause(replica: number, ms: number): Promise<void> {
    const { child } = this.#find(replica)
    child.kill('SIGSTOP')
    await wait(ms)
    child.kill('SIGCONT')
  }

  /** Returns what a replica wrote to stderr. */
  readErrors(replica: number): string {
    return this.#find(replica).readErrors()
  }

  /** Sends a request. Rejects if the connection closes before the response is complete. */
  async send(sent: ClusterRequest): Promise<ClusterResponse> {
    const response = await this.#open(sent)
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    const { statusCode = 0, headers } = response
    return { status: statusCode, headers, json: text === '' ? undefined : JSON.parse(text) }
  }

  /** Opens the event stream of a world. Returns a function that resolves to the next event. */
  async openStream(replica: number, key: string): Promise<() => Promise<string>> {
    const response = await this.#open({ replica, key, path: '/sandbox/events' })
    const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]()
    let text = ''
    const next = async () => {
      while (!text.includes('\n\n')) {
        const { value, done } = await chunks.next()
        if (done) throw new Error('the stream has ended')
        text += value
      }
      const end = text.indexOf('\n\n')
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      return event
    }
    await next()
    return next
  }

  /** Ends all replicas. */
  async stop(): Promise<void> {
    this.#agent.destroy()
    await Promise.all(this.#processes.map((_, replica) => this.end(replica, 'SIGKILL')))
    await rm(this.directory, { recursive: true })
  }

  #find(replica: number): ReplicaProcess {
    const found = this.#processes[replica]
    if (!found) throw new Error(`there is no replica ${replica}`)
    return found
  }

  async #open({
    replica,
    method = 'GET',
    path,
    key = 'sbx_enterprise_frozen',
    json,
  }: ClusterRequest) {
    const { port } = this.#find(replica ?? this.#sent++ % this.size)
    const body = json === undefined ? undefined : JSON.stringify(json)
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      }),
    }
    const sent = request({ port, host: '127.0.0.1', agent: this.#agent, method, path, headers })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return response as IncomingMessage
  }
}

/** Waits until a replica listens. Returns its port. */
async function readPort(child: ChildProcess, readErrors: () => string): Promise<number> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
    if (port === undefined) continue
    return Number(port)
  }
  throw new Error(`a replica has not started: ${readErrors()}`)
}
