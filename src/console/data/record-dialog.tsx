import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { additional, type Draft, type JsonRecord, toDraft } from './fields.js'
import { type Problems, whole } from './problems.js'
import { type AdditionalInput, RecordField } from './record-field.js'
import type { RecordKind } from './record-kind.js'
import type { RecordActions } from './use-record-actions.js'

interface RecordDialogProps<T extends JsonRecord> {
  readonly kind: RecordKind<T>
  readonly actions: RecordActions<T>
  /** The record when the dialog was opened. Undefined to add one. */
  readonly record: T | undefined
  /** The record now. Undefined if it does not exist. */
  readonly current: T | undefined
  /** The fields of a new record. */
  readonly initial: Draft
  readonly onClose: () => void
  readonly onAdded: () => void
}

const additionalInput: AdditionalInput = {
  name: additional,
  label: 'Additional fields',
  type: 'json',
  hint: 'a JSON object, such as { "weightKg": 31.5 }',
}

/**
 * A form with every field of a record. Fields that the user has not changed follow the record, and
 * are not sent.
 */
export function RecordDialog<T extends JsonRecord>(props: RecordDialogProps<T>) {
  const { kind, record, current, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRecordForm(props, dialog)
  const { isDirty, problems } = form
  const [isWarned, setWarned] = useState(false)
  // With the render, not after the paint: a key that is pressed at once belongs to the dialog.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const name = record ? kind.toName(current ?? record) : ''
  const isRemoved = record !== undefined && current === undefined
  const cancel = (event: Event) => {
    if (!isDirty || isWarned) return
    event.preventDefault()
    setWarned(true)
  }
  const titleId = `${kind.name}-dialog`
  return (
    <dialog
      ref={dialog}
      class="record-dialog"
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={onClose}
    >
      <form method="dialog" noValidate onSubmit={form.submit}>
        <h2 id={titleId}>{record ? `Edit ${name}` : `Add ${kind.article}`}</h2>
        <p role="alert" class="bad">
          {isRemoved && `${name} was removed elsewhere. Add it again with these values, or cancel.`}
        </p>
        <RecordFields kind={kind} form={form} isNew={record === undefined} />
        <p role="alert" class="bad">
          {problems[whole]}
        </p>
        <p role="status" class="hint">
          {isWarned && isDirty && 'Press Escape again to discard what you changed.'}
        </p>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={form.isSaving}>
            {toAction(record !== undefined, isRemoved)}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}

function RecordFields<T extends JsonRecord>(props: {
  kind: RecordKind<T>
  form: ReturnType<typeof useRecordForm<T>>
  isNew: boolean
}) {
  const { kind, form, isNew } = props
  const fields = kind.fields.filter(({ name }) => isNew || name !== kind.idField)
  return (
    <div class="record-fields">
      {[...fields, additionalInput].map((field) => {
        const { name } = field
        return (
          <RecordField
            key={name}
            field={field}
            text={form.texts[name] ?? ''}
            problem={form.problems[name]}
            elsewhere={form.elsewhere[name]}
            onInput={(text) => form.type(name, text)}
            onReplace={() => form.discard(name)}
          />
        )
      })}
    </div>
  )
}

function useRecordForm<T extends JsonRecord>(
  { kind, actions, record, current, initial, onAdded }: RecordDialogProps<T>,
  dialog: { readonly current: HTMLDialogElement | null },
) {
  const [draft, setDraft] = useState<Draft>({})
  const [problems, setProblems] = useState<Problems>({})
  const [isSaving, setSaving] = useState(false)
  /** The texts of the record when the user began to type in each field. */
  const [since, setSince] = useState<Draft>({})
  const now = record ? toDraft(current ?? record, kind.fields) : { ...emptyDraft, ...initial }
  const [failures, setFailures] = useState(0)
  useFirstInvalid(dialog, failures)
  const discard = (name: string) => {
    setDraft((before) => omit(before, name))
    setSince((before) => omit(before, name))
    setProblems((before) => omit(before, name))
  }
  const save = async () => {
    setSaving(true)
    const isAdded = current === undefined
    const found = isAdded
      ? await actions.add(record ?? {}, record ? draft : { ...now, ...draft })
      : await actions.change(current, draft)
    setSaving(false)
    setProblems(found ?? {})
    if (found) return setFailures((before) => before + 1)
    dialog.current?.close()
    if (!record) onAdded()
  }
  return {
    texts: { ...now, ...draft },
    problems,
    elsewhere: Object.fromEntries(
      Object.entries(draft)
        .filter(([name, text]) => since[name] !== now[name] && text !== now[name])
        .map(([name]) => [name, now[name] ?? '']),
    ),
    isDirty: Object.entries(draft).some(([name, text]) => text !== now[name]),
    isSaving,
    type: (name: string, text: string) => {
      setDraft((before) => ({ ...before, [name]: text }))
      setSince((before) => (name in before ? before : { ...before, [name]: now[name] ?? '' }))
      setProblems((before) => omit(before, name))
    },
    discard,
    submit: (event: Event) => {
      event.preventDefault()
      if (!isSaving) void save()
    },
  }
}

const emptyDraft: Draft = { [additional]: '' }

/** Moves the focus to the first invalid input after each save that failed. */
function useFirstInvalid(
  dialog: { readonly current: HTMLDialogElement | null },
  failures: number,
): void {
  useLayoutEffect(() => {
    if (failures === 0) return
    dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [dialog, failures])
}

function omit(draft: Draft, name: string): Draft {
  const { [name]: _, ...rest } = draft
  return rest
}

function toAction(isEdited: boolean, isRemoved: boolean): string {
  if (isRemoved) return 'Add it again'
  return isEdited ? 'Save' : 'Add'
}
