import { listCommands } from '../commands.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

export const cliHelp: Subject = {
  name: 'cli-help',
  async produce() {
    const commands = await listCommands()
    const helps = commands.map(({ words, help }) => [
      ['petstore-sandbox', ...words].join(' '),
      toReadable(help),
    ])
    return Object.fromEntries(helps)
  },
}
