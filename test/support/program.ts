import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Path of the built command line. */
export const bin = fileURLToPath(new URL('../../dist/cjs/cli.js', import.meta.url))

/** A running program. */
export interface Program {
  readonly child: ChildProcess
  /** The output so far. */
  readonly written: { readonly stdout: string; readonly stderr: string }
  /** Resolves to the exit code and the signal. */
  readonly ended: Promise<unknown[]>
  /**
   * Waits until the output matches, and returns the match.
   *
   * @throws {Error} If the program ends before. The message has its output.
   */
  read(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends the program with a signal, unless it has ended, and waits until it has. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a program. */
export function startProgram(
  [file = '', ...args]: readonly string[],
  options: SpawnOptions = {},
): Program {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'exit')
  const closed = once(child, 'close')
  for (const end of [ended, closed]) end.catch(() => {})
  return {
    child,
    written,
    ended,
    async read(pattern) {
      let listener = () => {}
      const found = new Promise<RegExpExecArray>((resolve) => {
        listener = () => {
          const match = pattern.exec(written.stdout) ?? pattern.exec(written.stderr)
          if (match) resolve(match)
        }
        listeners.add(listener)
        listener()
      })
      const match = await Promise.race([found, closed])
      listeners.delete(listener)
      if ('index' in match) return match as RegExpExecArray
      throw new Error(`${file} ended: ${written.stdout}${written.stderr}`)
    },
    async end(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await ended
    },
  }
}
