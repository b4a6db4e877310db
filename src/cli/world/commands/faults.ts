import type { CommandGroup } from '../command-row.js'

const load = () => import('../actions/faults.js')

const notes = `Types: status (status, code, message, retryAfterSeconds), delay (delayMs), reset, and
truncate (share). Each also takes operation, rate (a share of the calls) and times.`

export const faultsGroup: CommandGroup = {
  name: 'faults',
  description: 'Make calls fail: error statuses, delays, and connections that break.',
  rows: [
    {
      name: 'list',
      description: 'List the faults in their order, with what is left of them.',
      examples: ['world faults list'],
      load: async () => (await load()).showFaults,
    },
    {
      name: 'add',
      description: 'Add a fault behind the others.',
      args: [['<fault...>', 'its fields as name=value, or a JSON object']],
      notes,
      examples: [
        'world faults add type=status status=503 operation=getPet times=2',
        'world faults add type=delay delayMs=500 rate=0.1',
      ],
      load: async () => (await load()).addFault,
    },
    {
      name: 'set',
      description: 'Put faults in the place of all others.',
      args: [['<faults>', 'a JSON array, or a .json file of one']],
      notes,
      examples: [
        `world faults set '[{"type": "status", "status": 503}, {"type": "reset", "rate": 0.1}]'`,
        'world faults set faults.json',
      ],
      load: async () => (await load()).setFaults,
    },
    {
      name: 'clear',
      description: 'Remove all faults.',
      examples: ['world faults clear'],
      load: async () => (await load()).removeFaults,
    },
  ],
}
