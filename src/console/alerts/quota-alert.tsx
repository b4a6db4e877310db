import type { ComponentChildren } from 'preact'
import type { ControlBody } from '../../control/operations.js'
import { maskApiKey } from '../../service/api-key.js'
import { describeBanRisk, isLastRejection } from '../../world/quota/ban-risk.js'
import type { JournalEntry, Overview, QuotaState } from '../control-types.js'
import { Time } from '../parts/time.js'
import { useSession } from '../session/session.js'

/** Shows a link to a journal entry. */
export type RenderEntryLink = (id: number) => ComponentChildren

/** One sentence that says what happened and what to do, and buttons that do it. */
export function Alert(props: {
  kind: 'info' | 'warn' | 'bad'
  children: ComponentChildren
  actions?: ComponentChildren
}) {
  return (
    <div class={`banner ${props.kind}`}>
      <p>{props.children}</p>
      <div class="actions">{props.actions}</div>
    </div>
  )
}

/** Whether at least half of the rejections that lead to a ban have occurred. */
function isNearBan({ minute, day, banRule }: QuotaState): boolean {
  const rejected = Math.max(minute.rejected, day.rejected)
  return rejected > 0 && 2 * rejected >= banRule.rejections
}

/**
 * Says that the key is banned, is about to be, or has no requests left for the day. Otherwise, shows
 * the children.
 */
export function QuotaAlert(props: { renderLink?: RenderEntryLink; children?: ComponentChildren }) {
  const { renderLink, children } = props
  const { overview } = useSession()
  if (!overview) return null
  const { quota, clock } = overview
  if (quota.ban) return <BanAlert overview={overview} renderLink={renderLink} />
  const isExhausted = quota.day.remaining === 0
  const isNear = isNearBan(quota)
  if (!isExhausted && !isNear) return <>{children}</>
  const resetDay = { day: { used: 0, rejected: 0 } }
  const resetCount = { minute: { rejected: 0 }, day: { rejected: 0 } }
  const actions = [
    isExhausted && (
      <QuotaButton label="Reset the day" done="The day window is reset." quota={resetDay} />
    ),
    isNear && (
      <QuotaButton
        label="Reset the count"
        done="The rejected requests are not counted any more."
        quota={resetCount}
      />
    ),
  ]
  return (
    <Alert kind="warn" actions={actions}>
      {isNear && <b>The key is about to be banned: {describeBanRisk(quota)}. </b>}
      {isExhausted && (
        <>
          <b>The day window is exhausted:</b> every request receives 429 until{' '}
          <Time at={quota.day.resetsAt} now={clock.now} />.{' '}
        </>
      )}
      Send nothing until the window resets, or reset the count.
    </Alert>
  )
}

function BanAlert(props: { overview: Overview; renderLink: RenderEntryLink | undefined }) {
  const { quota, clock } = props.overview
  const { access, journal } = useSession()
  const cause = findBanCause(journal.entries, access.apiKey, quota)
  const lift = (
    <QuotaButton label="Lift the ban" done="The key is not banned." quota={{ ban: null }} />
  )
  return (
    <Alert kind="bad" actions={[cause && props.renderLink?.(cause.id), lift]}>
      <b>
        The key is banned until <Time at={quota.ban?.until ?? clock.now} now={clock.now} />:
      </b>{' '}
      every request receives 429.{' '}
      {cause ? (
        <>
          The cause is{' '}
          <code>
            {cause.request.method} {cause.request.path}
          </code>{' '}
          at <Time at={cause.at} now={cause.at} />, rejection {quota.banRule.rejections}.
        </>
      ) : (
        'No request in the journal caused it: it was set with the control API.'
      )}{' '}
      Wait, or lift it.
    </Alert>
  )
}

/** Returns the journal entry of the request that led to the ban of the key, if there is one. */
function findBanCause(
  all: readonly JournalEntry[],
  apiKey: string,
  { ban, banRule: { rejections, seconds } }: QuotaState,
): JournalEntry | undefined {
  const sinceMs = Date.parse(ban?.until ?? '') - seconds * 1_000
  const shownKey = maskApiKey(apiKey)
  const entries = all.filter((entry) => entry.apiKey === shownKey)
  const at = entries.findLastIndex(
    (entry) =>
      entry.response.code === 'api_key_banned' && Math.abs(Date.parse(entry.at) - sinceMs) < 1_000,
  )
  // A ban that was set with the control API has no such request before it.
  const isCause = rejections === 1 || entries[at + 1]?.explanation.some(isLastRejection)
  return isCause ? entries[at] : undefined
}

/** Changes the quota. */
export function QuotaButton(props: {
  label: string
  done: string
  quota: ControlBody<'changeQuota'>
}) {
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
