import type { Command } from 'commander'
import type { Terminal } from '../terminal.js'
import type { WorldSession } from './session.js'

/** What a command of `world` does. Its arguments and options are those of the command. */
export type WorldAction = (session: WorldSession, command: Command) => Promise<void>

/** Makes the action of a command from what loads it, so that a help loads none. */
export type Runner = (load: () => Promise<WorldAction>) => (...args: unknown[]) => Promise<void>

/** @param world The command whose options say where the sandbox is and which key is meant. */
export function createRunner(world: Command, terminal: Terminal): Runner {
  return (load) =>
    async function run(this: Command) {
      const [{ openSession }, act] = await Promise.all([import('./session.js'), load()])
      await act(openSession(world, this, terminal), this)
    }
}
