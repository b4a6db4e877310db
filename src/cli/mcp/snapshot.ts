import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { describeValue } from '../../service/validation/validate.js'
import { UsageError } from '../../verify/usage-error.js'
import type { ToolWorld } from './session.js'
import { defineTool, type ToolOutput, toText } from './tool.js'

/** Maximum number of snapshots that a session retains. */
const maximumSnapshots = 20

/** Takes snapshots, which the session retains until it ends, and restores them. */
export const snapshot = defineTool('getSnapshot', {
  description:
    'Takes a snapshot of the state of the world, restores one, or lists the snapshots of this session. Restoring restarts the world and clears its journal.',
  shape: {
    action: annotate(z.enum(['take', 'restore', 'list']), 'What to do.'),
    name: annotate(z.optional(z.string()), 'Name in kebab-case. Default: snapshot.'),
  },
  isReadOnly: false,
  isDestructive: true,
  async run(world, { action, name = 'snapshot' }) {
    if (action === 'take') return take(world, String(name))
    if (action === 'restore') return restore(world, String(name))
    if (action === 'list') return list(world)
    throw new UsageError(
      `action must be "take", "restore" or "list", found ${describeValue(action)}`,
    )
  },
})

async function take(world: ToolWorld, name: string): Promise<ToolOutput> {
  const { snapshots, client } = world
  const { text } = await client.request('getSnapshot', { query: { name } })
  const id = toId(world, name)
  snapshots.delete(id) // the newest is the last one
  snapshots.set(id, text)
  const [oldest = ''] = snapshots.keys()
  if (snapshots.size > maximumSnapshots) snapshots.delete(oldest)
  return list(world)
}

async function restore(world: ToolWorld, name: string): Promise<ToolOutput> {
  const json = world.snapshots.get(toId(world, name))
  if (json === undefined) {
    const known = listNames(world).join(', ') || 'none'
    throw new UsageError(
      `name must be a snapshot of this session, found ${describeValue(name)}; known: ${known}`,
    )
  }
  const { body } = await world.client.request('putScenario', { json })
  return {
    text: 'The world was restarted from the snapshot. From now on, reset returns to it too.',
    recorded: [toText('putScenario', body)],
    next: 'Run your client against the sandbox, then call report.',
    data: body,
  }
}

function list(world: ToolWorld): ToolOutput {
  const snapshots = listNames(world)
  return {
    text: `Snapshots of this world: ${snapshots.join(', ') || 'none'}. The session retains the latest ${maximumSnapshots} until it ends.`,
    next:
      snapshots.length === 0
        ? 'Call snapshot with action take.'
        : 'Call snapshot with action restore and a name to return to that state.',
    data: { snapshots },
  }
}

/** Keys have no spaces. */
function toId({ client }: ToolWorld, name: string): string {
  return `${client.target.apiKey} ${name}`
}

function listNames(world: ToolWorld): string[] {
  const start = toId(world, '')
  const ids = [...world.snapshots.keys()].filter((id) => id.startsWith(start))
  return ids.map((id) => id.slice(start.length))
}
