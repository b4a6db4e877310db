import type { World } from '../../control/world.js'
import { maskApiKey } from '../../service/api-key.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import { isLastRejection } from '../../world/quota/ban-risk.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { type Note, showNote } from './overlay.js'
import type { PanelOptions } from './panel-options.js'

/**
 * Warns in the console of the browser before a client is banned, and when it is. Shows a note above
 * the page during a ban.
 */
export class BanWarnings {
  /** The bans that were reported. */
  readonly #reported = new Set<string>()

  constructor(
    readonly sandbox: InProcessSandbox,
    readonly overlay: Note['overlay'],
    readonly panel: boolean | PanelOptions | undefined,
  ) {}

  /**
   * Handles a rejected request.
   *
   * @param id The account of its key.
   */
  report({ explanation, apiKey = '' }: RecordedEntry, world: World, id: string): void {
    const { platform } = this.sandbox.core.settings
    const risk = explanation.find(isLastRejection)
    if (risk !== undefined) {
      platform.warn(`${apiKey} has ${risk}. A client must wait for Retry-After before it retries.`)
    }
    const ban = explanation.find((line) => line.startsWith('ban: '))?.slice('ban: '.length)
    const key = `${world.generation} ${id} ${ban}`
    if (ban === undefined || this.#reported.has(key)) return
    this.#reported.add(key)
    const statement = describeLifting(this.sandbox, world, id)
    platform.warn(`${apiKey}: ${ban}. To lift the ban:\n${statement}`)
    const { overlay, panel } = this
    if (overlay === false) return
    const { apiKey: shownKey = 'sbx_free', environment = 'production' } =
      typeof panel === 'object' ? panel : {}
    const isInPanel = apiKey === maskApiKey(shownKey) && world.name.environment === environment
    this.#showNote(world, id, { text: `${apiKey}: ${ban}.`, overlay, isInPanel })
  }

  /** Shows a note until the ban ends. */
  #showNote(world: World, id: string, note: Note): void {
    const run = () => world.quota.account(id).set({ ban: null })
    const remove = showNote({ ...note, action: { label: 'Lift the ban', run } })
    const stop = this.sandbox.onChange((changed) => {
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
