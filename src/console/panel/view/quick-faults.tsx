import type { KindTitles } from '../../documents/fault-kinds.js'
import type { Fault } from '../../faults/fault-card.js'
import { FaultPresets } from '../../faults/presets.js'
import type { PageClient } from '../../session/client.js'
import { useSession } from '../../session/session.js'

/**
 * Titles of the kinds of fault, and of the fields whose title is not their name, as in the control API.
 */
export const faultTitles: readonly KindTitles[] = [
  { type: 'delay', title: 'Delay', fields: [{ name: 'delayMs', title: 'Milliseconds' }] },
  { type: 'reset', title: 'Connection reset' },
  { type: 'status', title: 'Error status' },
  { type: 'truncate', title: 'Truncated body' },
  { type: 'sequence', title: 'Sequence', fields: [{ name: 'sequence', title: 'Steps' }] },
]

/** Labels of the delays, by milliseconds. */
const latencies = { 0: 'none', 300: '0.3 s', 1000: '1 s', 3000: '3 s', 10000: '10 s' } as const

/** Adds the most frequent faults with one click. */
export function QuickFaults({ faults }: { faults: readonly Fault[] | undefined }) {
  return (
    <>
      {/* The selection of the latency has other delays. */}
      <FaultPresets faults={faults} omit={['Slow']} />
      <LatencySelect faults={faults ?? []} />
    </>
  )
}

/** Sets the delay of all responses. */
function LatencySelect({ faults }: { faults: readonly Fault[] }) {
  const { act, client } = useSession()
  const current = faults.map(toLatency).find((ms) => ms !== undefined) ?? 0
  const change = (delayMs: number) => {
    const done =
      delayMs === 0 ? 'Responses are not delayed.' : `Responses take ${delayMs} ms longer.`
    return act(done, () => replaceLatency(client, delayMs))
  }
  return (
    <label class="actions">
      Latency
      <select
        value={current}
        onChange={({ currentTarget: { value } }) => void change(Number(value))}
      >
        {!(current in latencies) && <option value={current}>{current} ms</option>}
        {Object.entries(latencies).map(([ms, label]) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Replaces the faults that delay every request. The shown list may contain faults that are used up. */
async function replaceLatency(client: PageClient, delayMs: number): Promise<void> {
  const faults = await client.send('listFaults')
  const others = faults.filter((fault) => toLatency(fault) === undefined)
  const added = delayMs === 0 ? [] : [{ type: 'delay', delayMs } as const]
  await client.send('replaceFaults', { body: [...others, ...added] })
}

/** Fields of a fault that delays every request. */
const latencyFields = new Set(['type', 'delayMs', 'triggered'])

/** Returns the delay of a fault that delays every request by a number of milliseconds. */
function toLatency(fault: Fault): number | undefined {
  if (fault.type !== 'delay' || typeof fault.delayMs !== 'number') return undefined
  return Object.keys(fault).every((name) => latencyFields.has(name)) ? fault.delayMs : undefined
}
