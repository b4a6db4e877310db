import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/cjs/cli.js', import.meta.url))

/** The built server with a directory, in a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  port = 0

  /** @param imports Modules that the process loads first. */
  constructor(directory: string, imports: readonly string[] = []) {
    const options = ['--data', directory, '--port', '0', '--log', 'silent']
    const loaded = imports.flatMap((path) => ['--import', path])
    this.#child = spawn(process.execPath, [...loaded, program, 'serve', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#exited = once(this.#child, 'exit')
  }

  /**
   * Resolves when the server accepts connections.
   *
   * @throws {Error} If the process ends.
   */
  async waitForStart(): Promise<void> {
    const { stdout } = this.#child
    if (!stdout) throw new Error('the output of the server is not a pipe')
    for await (const line of createInterface({ input: stdout })) {
      const [, port] = /API +http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
      if (port === undefined) continue
      this.port = Number(port)
      stdout.resume()
      return
    }
    throw new Error('the server did not start')
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}
