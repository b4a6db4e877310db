import { useRef, useState } from 'preact/hooks'
import { parseJson } from '../../service/json.js'
import { useDocuments } from '../documents/documents.js'
import { type FaultKind, findKind, toEntries, toFaultJson } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { Form } from '../parts/form.js'
import { type Entries, type FieldErrors, toFieldErrors } from '../parts/form-values.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useTabState } from '../session/tab-storage.js'
import { changeFault, type Fault, FaultCard, useFaults } from './fault-card.js'
import { FaultPresets } from './presets.js'

/** What the user has entered. */
interface FormState {
  /** The selected kind. */
  readonly type: string
  /** The entries that are not the initial ones. Fields of several kinds have one entry. */
  readonly entries: Entries
  /** The fault that is changed; undefined to add one. */
  readonly edited?: { readonly fault: Fault; readonly at: number } | undefined
}

/** Adds, changes and removes simulated failures. */
export function FaultsView() {
  const { faultKinds } = useDocuments().control
  const faults = useFaults()
  const [form, setForm] = useTabState<FormState>('petstore-sandbox.fault', {
    type: faultKinds[0]?.type ?? '',
    entries: {},
  })
  const kindSelect = useRef<HTMLSelectElement>(null)
  const edit = (fault: Fault, at: number) => {
    const kind = findKind(faultKinds, fault)
    if (!kind) return
    setForm({ type: kind.type, entries: toEntries(kind, fault), edited: { fault, at } })
    kindSelect.current?.focus()
  }
  const { type, edited } = form
  const kind = faultKinds.find((known) => known.type === type)
  return (
    <div class="columns">
      <FaultCard faults={faults} kinds={faultKinds} onEdit={edit}>
        {(faults.value?.length ?? 0) > 1 && (
          <p class="hint">
            They apply in this order. The first one that replaces the response ends the list for
            that request. Other faults, such as delays, add up.
          </p>
        )}
        <h3>Presets</h3>
        <p class="hint">
          A pressed preset is one of the faults of this world. Press it again to remove it.
        </p>
        <FaultPresets faults={faults.value} />
      </FaultCard>
      <Card title={edited ? `Edit fault ${edited.at + 1}` : 'Add a fault'}>
        <label class="field">
          Kind of fault
          <select
            ref={kindSelect}
            value={type}
            onChange={({ currentTarget: { value } }) => setForm((now) => ({ ...now, type: value }))}
          >
            {faultKinds.map((known) => (
              <option key={known.type} value={known.type}>
                {known.title}
              </option>
            ))}
          </select>
        </label>
        {kind && <KindForm key={type} kind={kind} form={form} onChange={setForm} />}
      </Card>
    </div>
  )
}

/** The form of a kind, with the fields that the control API documents. */
function KindForm(props: {
  kind: FaultKind
  form: FormState
  onChange: (update: (now: FormState) => FormState) => void
}) {
  const { kind, form, onChange } = props
  const { edited } = form
  const { act, client } = useSession()
  const [errors, setErrors] = useState<FieldErrors>({})
  const entries = { ...toEntries(kind), ...form.entries }
  const enter = (name: string, entry: string) =>
    onChange((now) => ({ ...now, entries: { ...now.entries, [name]: entry } }))
  const stopEditing = () => {
    onChange((now) => ({ ...now, edited: undefined }))
    setErrors({})
  }
  const submit = async () => {
    const json = toFaultJson(kind, entries)
    const done = edited ? `Changed fault ${edited.at + 1}.` : 'Added the fault.'
    const succeeded = await act(done, async () => {
      try {
        if (edited) await changeFault(client, edited.fault, edited.at, json)
        else await client.send('addFault', { json })
      } catch (error) {
        setErrors(toFieldErrors(toFailure(error).message, kind.fields))
        throw new Error('The faults did not change; the form shows why.')
      }
    })
    if (succeeded) stopEditing()
  }
  return (
    <>
      <p class="hint">{kind.description}</p>
      <Form
        fields={kind.fields}
        entries={entries}
        errors={errors}
        onEntry={enter}
        onSubmit={() => void submit()}
        toExtra={(field) =>
          field.name === 'sequence' && (
            <StepButtons
              entry={entries[field.name] ?? ''}
              onEntry={(entry) => enter(field.name, entry)}
            />
          )
        }
      >
        <button type="submit" class="primary">
          {edited ? 'Save' : 'Add'}
        </button>
        {edited && (
          <button type="button" onClick={stopEditing}>
            Cancel
          </button>
        )}
      </Form>
    </>
  )
}

/** Frequent steps of a sequence, by the label of the button that appends them. */
const steps = {
  'Let it pass': 'pass',
  'Error 503': { status: 503 },
  'Error 429 with Retry-After': { status: 429, retryAfterSeconds: 2 },
  'Delay 1 s': { delayMs: 1000 },
  'Reset the connection': { type: 'reset' },
  'Truncate the body': { type: 'truncate' },
} as const

/** Buttons that append steps to a sequence. Disabled while they would replace what is typed. */
function StepButtons({ entry, onEntry }: { entry: string; onEntry: (entry: string) => void }) {
  const present = entry.trim() === '' ? [] : parseJson(entry)
  const append = (step: unknown) => {
    if (!Array.isArray(present)) return
    const lines = [...present, step].map((each) => `  ${JSON.stringify(each)}`)
    onEntry(`[\n${lines.join(',\n')}\n]`)
  }
  return (
    <fieldset class="actions" disabled={!Array.isArray(present)}>
      <legend class="unseen">Append a step</legend>
      {Object.entries(steps).map(([label, step]) => (
        <button
          key={label}
          type="button"
          aria-label={`Append the step: ${label}`}
          onClick={() => append(step)}
        >
          + {label}
        </button>
      ))}
      <button type="button" onClick={() => onEntry('')}>
        Remove all steps
      </button>
    </fieldset>
  )
}
