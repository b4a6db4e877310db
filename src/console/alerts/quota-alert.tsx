import type { ComponentChildren } from 'preact'
import type { ControlBody } from '../../control/operations.js'
import { maskApiKey } from '../../service/api-key.js'
import { describeBanRisk, isLastRejection } from '../../world/quota/ban-risk.js'
import type { JournalEntry, QuotaState } from '../control-types.js'
import { Time } from '../parts/time-label.js'
import { useSession } from '../session/session.js'
import { Alert } from './alert.js'

/** Shows a link to a journal entry. */
export type RenderEntryLink = (id: number) => ComponentChildren

/** Whether the key is banned, is about to be, or has no requests left for the day. */
export function hasQuotaAlert(quota: QuotaState): boolean {
  return quota.ban !== null || isNearBan(quota) || quota.day.remaining === 0
}

/** Says that the key is banned, is about to be, or has no requests left for the day. */
export function QuotaAlert({ renderLink }: { renderLink?: RenderEntryLink }) {
  const { overview } = useSession()
  if (!overview) return null
  const { quota, clock } = overview
  if (quota.ban) {
    return <BanAlert until={quota.ban.until} now={clock.now} renderLink={renderLink} />
  }
  const dayEnd = quota.day.remaining === 0 ? quota.day.resetsAt : undefined
  if (isNearBan(quota)) return <RiskAlert quota={quota} dayEnd={dayEnd} now={clock.now} />
  return dayEnd ? <DayAlert quota={quota} dayEnd={dayEnd} now={clock.now} /> : null
}

function BanAlert(props: { until: string; now: string; renderLink: RenderEntryLink | undefined }) {
  const { until, now, renderLink } = props
  const cause = useBanCause(until)
  return (
    <Alert
      kind="bad"
      actions={
        <>
          {cause && renderLink?.(cause.id)}
          <QuotaButton label="Lift the ban" done="The key is not banned." quota={{ ban: null }} />
        </>
      }
    >
      <b>
        The key is banned until <Time at={until} now={now} />:
      </b>{' '}
      every request receives 429. {cause ? <BanCause entry={cause} /> : noCause} Wait, or lift it.
    </Alert>
  )
}

const noCause = 'No request in the journal caused it: it was set with the control API.'

function BanCause({ entry: { request, at } }: { entry: JournalEntry }) {
  const { overview } = useSession()
  const rejections = overview?.quota.banRule.rejections ?? 1
  return (
    <>
      The cause is{' '}
      <code>
        {request.method} {request.path}
      </code>{' '}
      at <Time at={at} now={at} />, rejection {rejections}.
    </>
  )
}

function DayAlert({ quota, dayEnd, now }: { quota: QuotaState; dayEnd: string; now: string }) {
  const risk = describeBanRisk(quota)
  return (
    <Alert kind="warn" actions={<ResetDayButton />}>
      <b>The day window is exhausted:</b> every request receives 429 until{' '}
      <Time at={dayEnd} now={now} />
      {risk && ` (${risk})`}. Wait, or reset it.
    </Alert>
  )
}

function RiskAlert(props: { quota: QuotaState; dayEnd: string | undefined; now: string }) {
  const { quota, dayEnd, now } = props
  return (
    <Alert
      kind="warn"
      actions={
        <>
          {dayEnd && <ResetDayButton />}
          <QuotaButton
            label="Reset the count"
            done="The rejected requests are not counted any more."
            quota={{ minute: { rejected: 0 }, day: { rejected: 0 } }}
          />
        </>
      }
    >
      <b>The key is about to be banned:</b> {describeBanRisk(quota)}. Send nothing until{' '}
      {dayEnd ? <Time at={dayEnd} now={now} /> : 'the window resets'}, or reset the count.
    </Alert>
  )
}

function ResetDayButton() {
  return (
    <QuotaButton
      label="Reset the day"
      done="The day window is reset."
      quota={{ day: { used: 0, rejected: 0 } }}
    />
  )
}

function QuotaButton(props: { label: string; done: string; quota: ControlBody<'changeQuota'> }) {
  const { act, client } = useSession()
  const { label, done, quota } = props
  return (
    <button
      type="button"
      onClick={() => void act(done, () => client.send('changeQuota', { body: quota }))}
    >
      {label}
    </button>
  )
}

/** Whether at least half of the rejections that lead to a ban have occurred. */
function isNearBan({ minute, day, banRule }: QuotaState): boolean {
  const rejected = Math.max(minute.rejected, day.rejected)
  return rejected > 0 && 2 * rejected >= banRule.rejections
}

/** Returns the journal entry of the request that led to the ban of the key, if there is one. */
function useBanCause(until: string): JournalEntry | undefined {
  const { access, journal, overview } = useSession()
  const { rejections, seconds } = overview?.quota.banRule ?? { rejections: 1, seconds: 0 }
  const sinceMs = Date.parse(until) - seconds * 1_000
  const shownKey = maskApiKey(access.apiKey)
  const entries = journal.entries.filter(({ apiKey }) => apiKey === shownKey)
  const at = entries.findLastIndex(
    (entry) =>
      entry.response.code === 'api_key_banned' && Math.abs(Date.parse(entry.at) - sinceMs) < 1_000,
  )
  // A ban that was set with the control API has no such request before it.
  const isCause = rejections === 1 || entries[at + 1]?.explanation.some(isLastRejection)
  return isCause ? entries[at] : undefined
}
