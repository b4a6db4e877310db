import type { CommandRow } from '../command-row.js'

export const keysRow: CommandRow = {
  name: 'keys',
  description: 'Make a key with a label that nobody can guess, and print it: a world of its own.',
  options: [
    ['--plan <plan>', 'its rate limits; without one, those of free'],
    ['--scenario <name>', 'what its world starts from; without one, as the sandbox did'],
  ],
  examples: ['world keys', 'world keys --plan pro --scenario low-stock'],
  load: async () => (await import('../actions/keys.js')).makeKey,
}
