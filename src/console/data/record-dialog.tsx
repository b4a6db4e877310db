import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { parseJson } from '../../service/json.js'
import { isPlainObject } from '../../service/validation/options.js'
import { Form } from '../parts/form.js'
import {
  type Entries,
  type FieldErrors,
  type FormField,
  toEntry,
  toFieldErrors,
  toJsonObject,
} from '../parts/form-values.js'
import { useSession } from '../session/session.js'
import type { JsonRecord, RecordKind } from './record-kind.js'

/** The additional fields of a record, as one field. No other field has its name. */
const additional: FormField = {
  name: '…',
  title: 'Additional fields',
  type: 'json',
  isLong: true,
  help: 'A JSON object, such as { "weightKg": 31.5 }. Null removes a field.',
}

/** A form with every field of a record. Only the fields that the user changes are sent. */
export function RecordDialog(props: {
  kind: RecordKind
  title: string
  /** The record when the dialog was opened. Undefined to add one. */
  record: JsonRecord | undefined
  /** Id of a new record. */
  newId: number
  /** Adds or changes the record. Returns the reason of a failure. */
  onSave: (json: string) => Promise<string | undefined>
  onClose: () => void
}) {
  const { kind, title, record, newId, onSave, onClose } = props
  const now = useSession().overview?.clock.now ?? ''
  const dialog = useRef<HTMLDialogElement>(null)
  const [before] = useState(() =>
    record ? toRecordEntries(kind, record) : toNewEntries(kind, newId, now),
  )
  const [entries, setEntries] = useState<Entries>(before)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isSaving, setSaving] = useState(false)
  // With the render, not after the paint: a key that is pressed at once belongs to the dialog.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const fields = [...kind.fields.slice(record ? 1 : 0), additional]
  const save = async () => {
    const problem = checkAdditional(entries)
    if (problem) return setErrors({ [additional.name]: problem })
    const change = toChange(kind, entries, record)
    setSaving(true)
    const rejection = change === '{}' ? undefined : await onSave(change)
    setSaving(false)
    if (rejection === undefined) dialog.current?.close()
    else setErrors(toFieldErrors(rejection, fields))
  }
  const onCancel = (event: Event) => {
    const isChanged = JSON.stringify(entries) !== JSON.stringify(before)
    if (isChanged && !confirm('Discard what you changed?')) event.preventDefault()
  }
  return (
    <dialog ref={dialog} aria-label={title} onCancel={onCancel} onClose={onClose}>
      <h2>{title}</h2>
      <Form
        fields={fields}
        entries={entries}
        errors={errors}
        onEntry={(name, entry) => setEntries((before) => ({ ...before, [name]: entry }))}
        onSubmit={() => void (isSaving || save())}
      >
        <button type="submit" class="primary" aria-disabled={isSaving}>
          {record ? 'Save' : 'Add'}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </Form>
    </dialog>
  )
}

/** Returns the entries of the form for a new record. */
function toNewEntries({ fields }: RecordKind, id: number, now: string): Entries {
  const entries = fields.map(({ name, cell, initial = '' }, at) => {
    if (at === 0) return [name, String(id)]
    return [name, cell === 'time' ? now : initial]
  })
  return Object.fromEntries(entries)
}

/** Returns the entries of the form for a record. */
export function toRecordEntries({ fields }: RecordKind, record: JsonRecord): Entries {
  const entries = fields.map(({ name, type }) => [name, toEntry(record[name], type)])
  const others = pickAdditional(fields, record)
  const json = Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2)
  return { ...Object.fromEntries(entries), [additional.name]: json }
}

/**
 * Returns the JSON object that adds a record, or changes one: the additional fields, and the others
 * whose entries are not as before. Empty entries of a new record are omitted.
 */
export function toChange(kind: RecordKind, entries: Entries, record?: JsonRecord): string {
  const { fields } = kind
  const before = record ? toRecordEntries(kind, record) : {}
  const changed = fields.filter(({ name }) => (entries[name] ?? '') !== (before[name] ?? ''))
  const others = toPatch(pickAdditional(fields, record ?? {}), readAdditional(entries) ?? {})
  return JSON.stringify({ ...others, ...JSON.parse(toJsonObject(changed, entries)) })
}

/** Returns a merge patch from one record to another: `null` for a removed field. */
function toPatch(before: JsonRecord, after: JsonRecord): JsonRecord {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  )
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null] as const)])
}

function pickAdditional(fields: RecordKind['fields'], record: JsonRecord): JsonRecord {
  const names = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))
}

/** Returns why the additional fields of a form cannot be sent: a number would lose digits, or be null. */
export function checkAdditional(entries: Entries): string | undefined {
  if (!readAdditional(entries)) return 'This must be a JSON object.'
  const json = entries[additional.name] ?? ''
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []
  const found = numbers.find(
    (text) => !Number.isFinite(+text) || (/^-?[1-9]\d*$/.test(text) && String(+text) !== text),
  )
  return found && `${found} would become ${Number(found)}: write it as a string.`
}

/** Returns the additional fields of a form; undefined if they are not a JSON object. */
function readAdditional(entries: Entries): JsonRecord | undefined {
  const text = entries[additional.name]?.trim()
  const value = text ? parseJson(text) : {}
  return isPlainObject(value) ? value : undefined
}
