import { type ErrorCode, errorCodes } from '../../contract/errors.js'
import { StatusMark } from './status-mark.js'

/** Errors with what they mean, by their status. */
export function ErrorList({ codes }: { codes: readonly ErrorCode[] }) {
  const sorted = codes.toSorted((a, b) => errorCodes[a].status - errorCodes[b].status)
  return (
    <ul class="answers">
      {sorted.map((code) => (
        <li key={code}>
          <StatusMark status={errorCodes[code].status} />
          <span>
            <code>{code}</code> {errorCodes[code].meaning}
          </span>
        </li>
      ))}
    </ul>
  )
}
