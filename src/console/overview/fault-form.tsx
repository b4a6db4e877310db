import { useState } from 'preact/hooks'
import { operationIds } from '../../operations/operations.js'
import type { FaultInput } from '../../world/faults/faults.js'
import { amounts, type FaultForm, readFaultForm } from './read-fault-form.js'

const types: Readonly<Record<FaultInput['type'], string>> = {
  status: 'answers a status',
  delay: 'answers late',
  reset: 'breaks the connection',
  truncate: 'cuts the body off',
}

const initial: FaultForm = {
  type: 'status',
  operation: '',
  amount: amounts.status.initial,
  rate: '',
  times: '',
}

/** A small form for one more fault. */
export function FaultFormPart({ onAdd }: { onAdd: (fault: FaultInput) => Promise<boolean> }) {
  const [form, setForm] = useState(initial)
  const change = (fields: Partial<FaultForm>) => setForm({ ...form, ...fields })
  const changeType = (type: FaultInput['type']) =>
    change({ type, amount: type === 'reset' ? '' : amounts[type].initial })
  const submit = (event: Event) => {
    event.preventDefault()
    void onAdd(readFaultForm(form))
  }
  const amount = form.type === 'reset' ? undefined : amounts[form.type]
  return (
    <form class="grid-form" onSubmit={submit}>
      <label class="field">
        Operation
        <select
          value={form.operation}
          onChange={(event) => change({ operation: event.currentTarget.value })}
        >
          <option value="">every operation</option>
          {operationIds.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Fault
        <select
          value={form.type}
          onChange={(event) => changeType(event.currentTarget.value as FaultInput['type'])}
        >
          {Object.entries(types).map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {amount?.label ?? 'No amount'}
        <input
          type="number"
          min={amount?.min}
          max={amount?.max}
          value={form.amount}
          disabled={!amount}
          required
          onInput={(event) => change({ amount: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        Percent of calls
        <input
          type="number"
          min="1"
          max="100"
          placeholder="all"
          value={form.rate}
          onInput={(event) => change({ rate: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        Times
        <input
          type="number"
          min="1"
          placeholder="for ever"
          value={form.times}
          onInput={(event) => change({ times: event.currentTarget.value })}
        />
      </label>
      <button type="submit">Add</button>
    </form>
  )
}
