import { DismissButton } from '../parts/notices.js'

/** A removed record that can be added again. */
export interface Removal {
  readonly id: number
  readonly key: string
  readonly name: string
  /** The record as a JSON string. */
  readonly json: string
  /** Whether another client removed it while this page was changing it. */
  readonly isElsewhere: boolean
}

interface RemovalListProps {
  readonly title: string
  /** The latest first. */
  readonly removals: readonly Removal[]
  readonly onUndo: (removal: Removal) => void
  readonly onDismiss: (removal: Removal) => void
}

/** The removed records, until the user dismisses them. */
export function RemovalList({ title, removals, onUndo, onDismiss }: RemovalListProps) {
  return (
    <div class="removals" role="status">
      {removals.length > 0 && (
        <ul data-group="removals" aria-label={`Removed ${title.toLowerCase()}`}>
          {removals.map((removal) => {
            const { id, name, isElsewhere } = removal
            return (
              <li key={id} data-row={`removal ${id}`}>
                <span class="grow">
                  {isElsewhere
                    ? `${name} was removed elsewhere while you changed it.`
                    : `Removed ${name}.`}
                </span>
                <button
                  type="button"
                  data-control="undo"
                  aria-label={`${isElsewhere ? 'Add again' : 'Undo'}: ${name}`}
                  onClick={() => onUndo(removal)}
                >
                  {isElsewhere ? 'Add it again' : 'Undo'}
                </button>
                <DismissButton
                  label={`Dismiss: ${name}`}
                  name="dismiss"
                  onClick={() => onDismiss(removal)}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
