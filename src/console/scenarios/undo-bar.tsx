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
          <button type="button" onClick={dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  )
}
