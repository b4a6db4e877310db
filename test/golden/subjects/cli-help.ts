import { run } from '../../cli/support.js'
import { listCommands } from '../commands.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

export const cliHelp: Subject = {
  name: 'cli-help',
  async produce() {
    const produced: Record<string, unknown> = {}
    for (const words of [[], ...(await listCommands())]) {
      const { stdout } = await run([...words, '--help'])
      produced[['petstore-sandbox', ...words].join(' ')] = toReadable(stdout)
    }
    return produced
  },
}
