import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Server } from './server.js'
import { addresses } from './trial.js'

/** Requests that were sent one after the other. Times are in milliseconds. */
export interface Series {
  readonly count: number
  /** Requests without a response, or with another status than 200. */
  readonly failures: number
  /** The reason of the first failure; empty if there is none. */
  readonly reason: string
  /** Without the time in which server and client waited for a processor. */
  readonly slowestMs: number
  readonly slowestWallMs: number
}

/** What an observer has seen. */
export interface Observation {
  readonly client: Series
  readonly health: Series
  readonly maxResidentBytes: number
}

export interface Observer {
  /** Ends the observation. Later calls return the same result. */
  end(): Promise<Observation>
}

const program = fileURLToPath(new URL('programs/observer.js', import.meta.url))

/**
 * Starts to observe a server, with a key whose world already exists. Resolves when the first requests
 * have been answered.
 */
export async function observe({ port, pid }: Server, apiKey: string): Promise<Observer> {
  const args = [port, pid, addresses.unrelated, addresses.health, apiKey].map(String)
  const child = fork(program, args, { execArgv: [] })
  await once(child, 'message')
  let ended: Promise<Observation> | undefined
  return {
    end() {
      ended ??= end(child)
      return ended
    },
  }
}

async function end(child: ChildProcess): Promise<Observation> {
  const answer = once(child, 'message')
  child.send('end')
  const [observation] = await answer
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
  return observation
}
