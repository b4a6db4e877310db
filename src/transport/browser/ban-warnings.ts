import type { World } from '../../control/world.js'
import { maskApiKey } from '../../service/api-key.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import { isLastRejection } from '../../world/quota/ban-risk.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { type Note, showNote } from './overlay.js'
import type { PanelOptions } from './panel-options.js'

/** Handles a rejected request. The id is the account of its key. */
export type ReportRejection = (entry: RecordedEntry, world: World, id: string) => void

/**
 * Creates a function that warns in the console of the browser before a ban and when a ban begins, and
 * shows a note above the page during a ban.
 */
export function createBanWarnings(
  sandbox: InProcessSandbox,
  overlay: Note['overlay'],
  panel: boolean | PanelOptions | undefined,
): ReportRejection {
  const { apiKey: shownKey = 'sbx_free', environment = 'production' } =
    typeof panel === 'object' ? panel : {}
  const { platform } = sandbox.core.settings
  const reported = new Set<string>()
  return ({ explanation, apiKey = '' }, world, id) => {
    const risk = explanation.find(isLastRejection)
    if (risk !== undefined) {
      platform.warn(`${apiKey} has ${risk}. A client must wait for Retry-After before it retries.`)
    }
    const ban = explanation.find((line) => line.startsWith('ban: '))?.slice('ban: '.length)
    const key = `${world.generation} ${id} ${ban}`
    if (ban === undefined || reported.has(key)) return
    reported.add(key)
    const statement = describeLifting(sandbox, world, id)
    platform.warn(`${apiKey}: ${ban}. To lift the ban:\n${statement}`)
    if (overlay === false) return
    const isInPanel = apiKey === maskApiKey(shownKey) && world.name.environment === environment
    const run = () => world.quota.account(id).set({ ban: null })
    const action = { label: 'Lift the ban', run }
    const remove = showNote({ text: `${apiKey}: ${ban}.`, action, overlay, isInPanel })
    const stop = sandbox.onChange((changed) => {
      if (changed !== world || world.quota.copy(id).isBanned()) return
      stop()
      remove()
    })
  }
}

/** Returns a statement for the console of the browser that lifts a ban. */
function describeLifting(sandbox: InProcessSandbox, world: World, id: string): string {
  const isInitial = world === sandbox.world
  const key = isInitial && Object.hasOwn(world.seed.plans, id) ? `sbx_${id}` : undefined
  if (window.petstoreSandbox === sandbox && key !== undefined) {
    return `petstoreSandbox.world.quota.account('${id}').set({ ban: null })`
  }
  const { environment } = world.name
  const base = sandbox.bases[environment === 'production' ? 'control' : 'stagingControl'].text
  const authorization = key === undefined ? "'Bearer ' + apiKey" : `'Bearer ${key}'`
  return [
    `fetch('${base}/quota', {`,
    "  method: 'PATCH',",
    `  headers: { Authorization: ${authorization}, 'Content-Type': 'application/json' },`,
    `  body: '{"ban":null}',`,
    '})',
  ].join('\n')
}
