import type { ControlOperationId, ControlResult } from '../../control/operations.js'
import { toCount, toPlainLine } from '../../service/validation/message.js'
import { describeFault, type Fault } from '../../world/faults/schema.js'
import { describeBanRisk } from '../../world/quota/ban-risk.js'
import { toJson, toPairs } from '../render.js'
import { type Paint, toStatusStyle } from '../terminal.js'

type ClockState = ControlResult<'getClock'>
type QuotaState = ControlResult<'getQuota'>
type ShownRequest = ControlResult<'listRequests'>[number]

/** Formats the result of an operation, with the options of the command. */
type TextFormat<Id extends ControlOperationId> = (
  result: ControlResult<Id>,
  paint: Paint,
  options: { readonly explain?: boolean },
) => string

/** The texts of the operations whose results are more than a table or a list of values. */
const texts: { readonly [Id in ControlOperationId]?: TextFormat<Id> } = {
  getOverview: toOverviewText,
  getClock: toClockText,
  changeClock: toClockText,
  listFaults: toFaultsText,
  addFault: toFaultsText,
  replaceFaults: toFaultsText,
  clearFaults: toFaultsText,
  createKey: ({ apiKey }) => `${apiKey}\n`, // a shell can read it
  getQuota: toQuotaText,
  changeQuota: toQuotaText,
  listRequests: toRequestsText,
  clearRequests: ({ removed }) => `removed ${toCount(removed, 'requests')}\n`,
  putScenario: toOverviewText,
  resetWorld: toOverviewText,
  getSnapshot: toJson,
}

/** Returns the text format of an operation; undefined if it has none of its own. */
export function findText<Id extends ControlOperationId>(id: Id): TextFormat<Id> | undefined {
  return texts[id]
}

function toOverviewText(overview: ControlResult<'getOverview'>, paint: Paint): string {
  const { world, scenario, apiKey, clock, quota, counts } = overview
  const name = [world.environment, world.scenario, world.label].filter((part) => part !== '')
  const records = Object.entries(counts).map(([plural, count]) => toCount(count, plural))
  return toPairs(
    [
      ['World', name.join('/')],
      ['Key', apiKey],
      ['Scenario', scenario],
      ...toClockPairs(clock),
      ...toQuotaPairs(quota),
      ['Records', records.join(', ')],
    ],
    paint,
  )
}

function toClockText(state: ClockState, paint: Paint): string {
  return toPairs(toClockPairs(state), paint)
}

function toClockPairs({ now, frozen, nextEvent }: ClockState): [string, string][] {
  return [
    ['Clock', `${now}, ${frozen ? 'frozen' : 'running'}`],
    ['Next', nextEvent ? `${nextEvent.event} at ${nextEvent.at}` : 'nothing'],
  ]
}

function toQuotaText(state: QuotaState, paint: Paint): string {
  return toPairs(toQuotaPairs(state), paint)
}

function toQuotaPairs(state: QuotaState): [string, string][] {
  const { plan, minute, day, ban } = state
  const risk = describeBanRisk(state)
  return [
    ['Plan', plan],
    ['Minute', describeWindow(minute)],
    ['Day', describeWindow(day)],
    ['Ban', ban ? `until ${ban.until}` : ['none', ...(risk ? [risk] : [])].join('; ')],
  ]
}

function describeWindow({ limit, remaining, rejected, resetsAt }: QuotaState['minute']): string {
  return `${remaining} of ${limit} left, ${rejected} rejected, resets ${resetsAt}`
}

/** Formats each fault as a numbered sentence. */
function toFaultsText(list: readonly Fault[], paint: Paint): string {
  if (list.length === 0) return 'no faults\n'
  return list
    .map((fault, at) => `${paint('bold', `${at + 1}`)}  ${toPlainLine(describeFault(fault))}\n`)
    .join('')
}

/** Formats requests as lines. With `--explain`, indented lines follow each. */
export function toRequestsText(
  requests: readonly ShownRequest[],
  paint: Paint,
  { explain }: { readonly explain?: boolean },
): string {
  if (requests.length === 0) return 'no requests\n'
  return requests
    .flatMap((request) => {
      const explanation = explain ? listExplanation(request) : []
      return [
        toRequestLine(request, paint),
        ...explanation.map((line) => paint('dim', `      ${line}`)),
      ]
    })
    .map((line) => `${line}\n`)
    .join('')
}

function toRequestLine(shown: ShownRequest, paint: Paint): string {
  const { id, at, environment, request, response, apiKey, operation, nearestOperation } = shown
  const where = environment === 'production' ? '' : ` (${environment})`
  const nearest = nearestOperation ? `; nearest is ${nearestOperation}` : ''
  const parts = [
    paint('bold', `#${id}`),
    at,
    paint(toStatusStyle(response.status), response.status === 0 ? '---' : String(response.status)),
    toPlainLine(`${request.method} ${request.path}${where}`),
    toPlainLine(operation ?? `no operation${nearest}`),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
  ]
  if (response.code !== null) parts.push(toPlainLine(response.code))
  return parts.join('  ')
}

function listExplanation({ request, explanation, changes }: ShownRequest): readonly string[] {
  const body = request.body === null ? [] : [`body ${request.body}`]
  const changed = changes.map(({ type, ...fields }) => `changed ${type} ${JSON.stringify(fields)}`)
  return [...body, ...explanation, ...changed].map(toPlainLine)
}
