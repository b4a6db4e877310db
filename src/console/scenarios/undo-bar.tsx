import { DismissButton } from '../parts/notices.js'
import type { Start } from './use-start.js'

/** Offers to return to the state before the latest start. */
export function UndoBar({ start }: { start: Start }) {
  const { before, undo, dismiss } = start
  return (
    <div class="undo" role="status">
      {before !== undefined && (
        <p>
          <span class="grow">
            The previous state (<b>{before}</b>) is kept in this tab, without its journal.
          </span>
          <button type="button" onClick={() => void undo()}>
            Undo
          </button>
          <DismissButton label="Dismiss the previous state" onClick={dismiss} />
        </p>
      )}
    </div>
  )
}
