import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Field, findHint } from './fields.js'

interface InPlaceInputProps {
  readonly field: Field
  /** Accessible name, such as `Quantity of Nemo`. */
  readonly label: string
  readonly value: string
  /** Saves a string. Returns why it is invalid. */
  readonly onSave: (text: string) => Promise<string | undefined>
  /** Called with what was typed if the row is removed meanwhile. */
  readonly onAbandon: (text: string) => void
}

/** What the user has typed, and the value at that time. */
interface Typed {
  readonly text: string
  readonly since: string
}

/**
 * An input of a table that is saved with Enter or when it loses the focus; Escape discards what was
 * typed. If the value changes meanwhile, it is saved only with Enter.
 */
export function InPlaceInput(props: InPlaceInputProps) {
  const { field, label, value } = props
  const { typed, problem, type, save, discard } = useTyped(props)
  const id = useId()
  const isChanged = typed !== undefined && typed.since !== value && typed.text !== value
  const note = problem ?? (isChanged ? toNote(value) : findHint(field, typed?.text ?? ''))
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const step = field.type === 'integer' ? (steps[key] ?? 0) : 0
    const stepped = Number(typed?.text ?? value) + step
    if (key === 'Enter') save()
    if (key === 'Escape') discard()
    if (step === 0 || !Number.isSafeInteger(stepped)) return
    event.preventDefault()
    type(String(stepped))
  }
  return (
    <>
      <input
        class={`in-place ${field.type}`}
        dir="auto"
        data-control={field.name}
        inputMode={field.type === 'integer' ? 'numeric' : undefined}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={note && id}
        value={typed?.text ?? value}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => !isChanged && problem === undefined && save()}
      />
      <p id={id} class={problem ? 'note bad' : 'note hint'} role="status">
        {note}
      </p>
    </>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 }

function toNote(value: string): string {
  const now = value.length > 20 ? '' : ` to ${value}`
  return `Changed elsewhere${now}. Enter saves yours, Escape discards it.`
}

function useTyped({ value, onSave, onAbandon }: InPlaceInputProps) {
  const [typed, setTyped] = useState<Typed>()
  const [problem, setProblem] = useState<string>()
  const abandon = useRef(() => {})
  abandon.current = () => typed && typed.text !== value && onAbandon(typed.text)
  useEffect(() => () => abandon.current(), [])
  const saving = useRef<string>(undefined)
  const latest = useRef(value)
  latest.current = value
  const clear = () => {
    setTyped(undefined)
    setProblem(undefined)
  }
  const save = async () => {
    // Enter saves, and then the input loses the focus.
    if (!typed || saving.current === typed.text) return
    saving.current = typed.text
    const found = typed.text === value ? undefined : await onSave(typed.text)
    saving.current = undefined
    setProblem(found)
    // What was typed while it was saved stays, and is newer than the saved value.
    if (found !== undefined) return
    setTyped((now) =>
      now && now.text !== typed.text ? { ...now, since: latest.current } : undefined,
    )
  }
  return {
    typed,
    problem,
    type: (text: string) => {
      setTyped((before) => ({ text, since: before?.since ?? value }))
      setProblem(undefined)
    },
    save: () => void save(),
    discard: clear,
  }
}
