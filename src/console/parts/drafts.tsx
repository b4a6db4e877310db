import { type ComponentChildren, createContext } from 'preact'
import { type Dispatch, type StateUpdater, useCallback, useContext, useState } from 'preact/hooks'

type Values = Readonly<Record<string, unknown>>
type Drafts = readonly [Values, Dispatch<StateUpdater<Values>>]

const DraftsContext = createContext<Drafts | undefined>(undefined)

/** Keeps what the user has typed in a view while other views are shown. */
export function DraftsProvider({ children }: { children: ComponentChildren }) {
  return <DraftsContext.Provider value={useState<Values>({})}>{children}</DraftsContext.Provider>
}

/**
 * Like `useState`, but the state outlives the component, and components that state the same name
 * share it.
 *
 * @param name Determines the type of the value.
 * @throws {Error} Outside a `DraftsProvider`.
 */
export function useDraft<T>(
  name: string,
  create: () => T,
): readonly [value: T, change: (update: (before: T) => T) => void] {
  const drafts = useContext(DraftsContext)
  if (!drafts) throw new Error('useDraft must be used inside a DraftsProvider')
  const [values, setValues] = drafts
  const [initial] = useState(create)
  const change = useCallback(
    (update: (before: T) => T) =>
      setValues((before) => ({ ...before, [name]: update(readDraft(before, name, initial)) })),
    [setValues, name, initial],
  )
  return [readDraft(values, name, initial), change]
}

function readDraft<T>(values: Values, name: string, initial: T): T {
  return Object.hasOwn(values, name) ? (values[name] as T) : initial // the name determines the type
}
