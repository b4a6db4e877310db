import type { DocumentedError } from '../documents/service.js'
import { StatusMark } from './status-mark.js'

/** Error codes with their meaning, sorted by status. */
export function ErrorList({ errors }: { errors: readonly DocumentedError[] }) {
  return (
    <ul class="definitions">
      {errors
        .toSorted((a, b) => a.status - b.status)
        .map(({ code, status, meaning }) => (
          <li key={code}>
            <StatusMark status={status} />
            <span>
              <code>{code}</code> {meaning}
            </span>
          </li>
        ))}
    </ul>
  )
}
