import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import {
  type FaultEntries,
  type FaultKind,
  toFaultJson,
  toFieldErrors,
  toInitialEntries,
} from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { changeFault, type Fault, FaultGoneError } from './change.js'
import { FieldInput } from './field-input.js'

/** What the user has entered. */
export interface FaultFormState {
  /** The selected kind. */
  readonly type: string
  /** The values of each kind whose form has been used. */
  readonly entries: Readonly<Record<string, FaultEntries>>
  /** The fault that is changed; undefined to add one. */
  readonly edited: { readonly fault: Fault; readonly at: number } | undefined
  /** Errors by field; an empty name for other errors. */
  readonly errors: Readonly<Record<string, string>>
}

type Change = (update: (before: FaultFormState) => FaultFormState) => void

/** Returns an empty form for the first kind. */
export function startForm([first]: readonly FaultKind[]): FaultFormState {
  return { type: first?.type ?? '', entries: {}, edited: undefined, errors: {} }
}

/** A form that adds or changes a fault. Each kind has the fields that the control API documents. */
export function FaultForm(props: {
  kinds: readonly FaultKind[]
  form: FaultFormState
  onChange: Change
  /** Moves the focus to the form when it changes. */
  focusKey: number
}) {
  const { kinds, form, onChange, focusKey } = props
  const { type, edited } = form
  const first = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    if (focusKey === 0) return
    first.current?.focus()
    first.current?.scrollIntoView({ block: 'nearest' })
  }, [focusKey])
  const kind = kinds.find((known) => known.type === type)
  return (
    <Card title={edited ? `Edit fault ${edited.at + 1}` : 'Add a fault'} class="fault-form">
      <label class="field">
        Kind of fault
        <select
          ref={first}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            onChange((before) => ({ ...before, type: value, errors: {} }))
          }
        >
          {kinds.map((known) => (
            <option key={known.type} value={known.type}>
              {known.title}
            </option>
          ))}
        </select>
      </label>
      {kind && (
        <>
          <p class="hint">{kind.description}</p>
          <KindForm key={type} kind={kind} form={form} onChange={onChange} />
        </>
      )}
    </Card>
  )
}

function KindForm(props: { kind: FaultKind; form: FaultFormState; onChange: Change }) {
  const { kind, form, onChange } = props
  const { edited, errors } = form
  const entries = form.entries[kind.type] ?? toInitialEntries(kind)
  const submit = useSubmit(kind, onChange)
  const enter = (name: string, entry: string) =>
    onChange((before) => ({
      ...before,
      entries: {
        ...before.entries,
        [kind.type]: { ...(before.entries[kind.type] ?? entries), [name]: entry },
      },
    }))
  const cancel = () => onChange((before) => ({ ...before, edited: undefined, errors: {} }))
  return (
    <form
      class="grid-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(entries, edited)
      }}
    >
      {kind.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          entry={entries[field.name] ?? ''}
          error={errors[field.name]}
          onChange={(entry) => enter(field.name, entry)}
        />
      ))}
      <FormActions error={errors['']}>
        <button type="submit" class="primary">
          {edited ? 'Save' : 'Add'}
        </button>
        {edited && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </FormActions>
    </form>
  )
}

function FormActions({
  error,
  children,
}: {
  error: string | undefined
  children: ComponentChildren
}) {
  return (
    <div class="wide">
      <p role="alert" class="bad">
        {error}
      </p>
      <div class="actions">{children}</div>
    </div>
  )
}

/** Returns a function that adds or changes a fault, and shows errors beside their fields. */
function useSubmit(
  kind: FaultKind,
  onChange: Change,
): (entries: FaultEntries, edited: FaultFormState['edited']) => Promise<void> {
  const { act, client } = useSession()
  return async (entries, edited) => {
    const json = toFaultJson(kind, entries)
    const done = edited ? `Changed fault ${edited.at + 1}.` : 'Added the fault.'
    const succeeded = await act(done, async () => {
      try {
        if (edited) await changeFault(client, edited.fault, edited.at, json)
        else await client.send('addFault', { json })
      } catch (error) {
        const { message } = toFailure(error)
        const errors = toFieldErrors(message, kind)
        const isGone = error instanceof FaultGoneError
        onChange((before) => ({ ...before, errors, edited: isGone ? undefined : before.edited }))
        throw new Error('The faults did not change; the form shows why.')
      }
    })
    if (succeeded) {
      onChange((before) => ({ ...before, edited: undefined, errors: {} }))
    }
  }
}
