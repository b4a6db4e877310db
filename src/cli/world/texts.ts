import { compact } from 'es-toolkit/array'
import type { ShownEntry } from '../../control/client/events.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  type ControlResult,
  controlOperations,
} from '../../control/operations.js'
import { overviewColumns } from '../../control/overview.js'
import { toPlainLine } from '../../service/validation/message.js'
import { describeFault, type Fault } from '../../world/faults/schema.js'
import { type BanRisk, describeBanRisk } from '../../world/quota/ban-risk.js'
import { toJson, toResultText } from '../render.js'
import { type Paint, toStatusText } from '../terminal.js'

/** Formats the result of an operation, with the options of the command. */
type TextFormat<Id extends ControlOperationId> = (
  result: ControlResult<Id>,
  paint: Paint,
  options: { readonly explain?: boolean },
) => string

/** The texts of the operations whose results are more than a table or a list of values. */
const texts: { readonly [Id in ControlOperationId]?: TextFormat<Id> } = {
  listFaults: toFaultsText,
  addFault: toFaultsText,
  replaceFaults: toFaultsText,
  clearFaults: toFaultsText,
  createKey: ({ apiKey }) => `${apiKey}\n`, // a shell can read it
  getJournal: ({ requests, ...journal }, paint) =>
    `${toResultText(journal, '', paint)}${toRequestsText(requests, paint, {})}`,
  listRequests: toRequestsText,
  getSnapshot: toJson,
  getOverview: toOverviewText,
  putScenario: toOverviewText,
  resetWorld: toOverviewText,
  getQuota: toQuotaText,
  changeQuota: toQuotaText,
}

/** Returns the text format of an operation. Default: a table, or lines of name and value. */
export function findText<Id extends ControlOperationId>(id: Id, noun: string): TextFormat<Id> {
  const { columns }: ControlOperation = controlOperations[id]
  return texts[id] ?? ((result, paint) => toResultText(result, noun, paint, columns))
}

function toOverviewText(overview: ControlResult<'getOverview'>, paint: Paint): string {
  const shown = { ...overview, quota: withBanRisk(overview.quota) }
  return toResultText(shown, '', paint, overviewColumns)
}

function toQuotaText(quota: ControlResult<'getQuota'>, paint: Paint): string {
  return toResultText(withBanRisk(quota), '', paint)
}

/** Adds the risk of a ban to the value of the ban, for a key that is not banned. */
function withBanRisk<Quota extends BanRisk>(quota: Quota) {
  const risk = describeBanRisk(quota)
  return risk === undefined ? quota : { ...quota, ban: `none; ${risk}` }
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
  requests: readonly ShownEntry[],
  paint: Paint,
  { explain }: { readonly explain?: boolean },
): string {
  if (requests.length === 0) return 'no requests\n'
  return requests
    .flatMap((request) => [
      toRequestLine(request, paint),
      ...(explain ? listExplanation(request) : []).map((line) => paint('dim', `      ${line}`)),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function toRequestLine(shown: ShownEntry, paint: Paint): string {
  const { id, at, environment, request, response, apiKey, operation, nearestOperation } = shown
  const where = environment === 'production' ? '' : ` (${environment})`
  const nearest = nearestOperation ? `; nearest is ${nearestOperation}` : ''
  const sent = `${request.method} ${request.path}${where}`
  const texts = compact([
    sent,
    operation ?? `no operation${nearest}`,
    apiKey ?? 'no key',
    response.code,
  ])
  const status = toStatusText(response.status, paint)
  return [paint('bold', `#${id}`), at, status, ...texts.map(toPlainLine)].join('  ')
}

function listExplanation({ request, explanation, changes }: ShownEntry): readonly string[] {
  const body = request.body === null ? [] : [`body ${request.body}`]
  const changed = changes.map(({ type, ...fields }) => `changed ${type} ${JSON.stringify(fields)}`)
  return [...body, ...explanation, ...changed].map(toPlainLine)
}
