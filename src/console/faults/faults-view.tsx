import { useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { findKind, toEntries } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { useDraft } from '../parts/drafts.js'
import type { Fault } from './change.js'
import { FaultCard, useFaults } from './fault-card.js'
import { FaultForm, type FaultFormState, startForm } from './fault-form.js'
import { FaultPresets } from './presets.js'

/** Adds, changes and removes simulated failures. */
export function FaultsView() {
  const { control } = useDocuments()
  const kinds = control.faultKinds
  const faults = useFaults()
  const [form, setForm] = useDraft<FaultFormState>('fault', () => startForm(kinds))
  /** Incremented to move the focus to the form. */
  const [edits, setEdits] = useState(0)
  const edit = (fault: Fault, at: number) => {
    const kind = findKind(kinds, fault)
    if (!kind) return
    const entries = toEntries(kind, fault)
    setForm((before) => ({
      ...before,
      type: kind.type,
      entries: { ...before.entries, [kind.type]: entries },
      edited: { fault, at },
      errors: {},
    }))
    setEdits(edits + 1)
  }
  return (
    <div class="columns">
      <div>
        <Card title="Presets">
          <p class="hint">
            A pressed preset is one of the faults of this world. Press it again to remove it.
          </p>
          <FaultPresets faults={faults.value} />
        </Card>
        <FaultCard faults={faults} kinds={kinds} onEdit={edit}>
          {(faults.value?.length ?? 0) > 1 && (
            <p class="hint">
              They apply in this order. The first one that replaces the response ends the list for
              that request. Other faults, such as delays, add up.
            </p>
          )}
        </FaultCard>
      </div>
      <div>
        <FaultForm kinds={kinds} form={form} onChange={setForm} focusKey={edits} />
      </div>
    </div>
  )
}
