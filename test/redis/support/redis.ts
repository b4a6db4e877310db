import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Ports below the range that operating systems assign to connections. */
const firstPort = 21_000
const ports = 9000

/** A Redis server that writes each command to the disk before it responds. */
export class RedisServer {
  #process: ChildProcess | undefined

  private constructor(
    readonly port: number,
    readonly directory: string,
    readonly options: readonly string[],
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts a server on a free port, with additional options of redis-server. */
  static async start(...options: string[]): Promise<RedisServer> {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-redis-'))
    for (let attempt = 0; attempt < ports; attempt++) {
      const port = firstPort + ((process.pid * 31 + attempt) % ports)
      const server = new RedisServer(port, directory, options)
      if (await server.#launch()) return server
    }
    throw new Error('no port is free')
  }

  /** Starts the server again, with the data that it has written. */
  async restart(): Promise<void> {
    if (!(await this.#launch())) throw new Error(`port ${this.port} is not free any more`)
  }

  /** Ends the server at once. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child) return
    this.#process = undefined
    const exited = once(child, 'exit')
    // A stopped process also ends.
    child.kill('SIGKILL')
    await exited
  }

  /** Stops the execution of the server. Its connections stay open. */
  pause(): void {
    this.#process?.kill('SIGSTOP')
  }

  resume(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Removes the data. The server must not run. */
  async removeData(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
    await mkdir(this.directory)
  }

  /** Ends the server and removes its data. */
  async stop(): Promise<void> {
    await this.kill()
    await rm(this.directory, { recursive: true, force: true })
  }

  /** Returns whether the server responds. It does not if the port is used. */
  async #launch(): Promise<boolean> {
    const persistence = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.directory]
    const child = spawn('redis-server', [...place, ...persistence, ...this.options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', () =>
        reject(new Error('redis-server cannot be started: apt-get install redis-server')),
      )
    })
    let isReady = false
    for await (const line of createInterface({ input: child.stdout })) {
      isReady = line.includes('Ready to accept connections')
      if (isReady) break
    }
    if (!isReady) return false
    child.stdout.resume()
    this.#process = child
    await this.command('PING')
    return true
  }

  /** Sends a command and returns the first characters of the reply. */
  async command(text: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    try {
      socket.write(`${text}\r\n`)
      const [reply] = await once(socket, 'data')
      return String(reply)
    } finally {
      socket.destroy()
    }
  }
}
