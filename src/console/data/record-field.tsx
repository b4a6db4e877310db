import { useId } from 'preact/hooks'
import { type Field, findHint } from './fields.js'

interface RecordFieldProps {
  readonly field: Field | AdditionalInput
  readonly text: string
  readonly problem: string | undefined
  /** The value that another client has set, if the user has typed another one. */
  readonly elsewhere: string | undefined
  readonly onInput: (text: string) => void
  /** Uses the value that another client has set. */
  readonly onReplace: () => void
}

/** The input of all additional fields. */
export interface AdditionalInput {
  readonly name: string
  readonly label: string
  readonly type: 'json'
  readonly hint: string
}

/** The input of one field with its hint, its problem, and what has changed elsewhere. */
export function RecordField(props: RecordFieldProps) {
  const { field, text, problem, elsewhere, onReplace } = props
  const id = useId()
  return (
    <div class={`record-field ${field.type}`}>
      <label for={id}>
        {field.label}
        {field.hint && <span class="hint"> · {field.hint}</span>}
      </label>
      <FieldInput {...props} id={id} />
      <p id={`${id}-problem`} class="note bad">
        {problem}
      </p>
      <div id={`${id}-elsewhere`} class="note hint" role="status">
        {elsewhere === undefined ? (
          findHint(field, text)
        ) : (
          <>
            Changed elsewhere{elsewhere.length <= 40 && ` to ${elsewhere || 'nothing'}`}. Saving
            replaces it.{' '}
            <button type="button" class="quiet" onClick={onReplace}>
              Use the new value
            </button>
          </>
        )}
      </div>
    </div>
  )
}

function FieldInput(props: RecordFieldProps & { id: string }) {
  const { id, field, text, problem, elsewhere, onInput } = props
  const notes = [
    problem !== undefined && `${id}-problem`,
    (elsewhere !== undefined || findHint(field, text)) && `${id}-elsewhere`,
  ].filter(Boolean)
  const shared = {
    id,
    name: field.name,
    'aria-invalid': problem !== undefined,
    'aria-describedby': notes.join(' ') || undefined,
  }
  if (field.type === 'boolean') {
    return (
      <input
        type="checkbox"
        {...shared}
        checked={text === 'true'}
        onChange={(event) => onInput(String(event.currentTarget.checked))}
      />
    )
  }
  const bound: Bound = {
    ...shared,
    value: text,
    onInput: (event) => onInput(event.currentTarget.value),
  }
  if (field.type !== 'choice') return toTextInput(field, text, bound)
  return (
    <select {...bound}>
      {field.choices?.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

/** The common attributes of an input, a text area and a menu. */
interface Bound {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
}

function toTextInput(
  { type }: Pick<RecordFieldProps['field'], 'type'>,
  text: string,
  bound: Bound,
) {
  const rows = Math.min(8, Math.max(2, text.split('\n', 9).length))
  if (type === 'json') return <textarea class="code" rows={rows} spellcheck={false} {...bound} />
  if (type === 'list') return <textarea dir="auto" rows={rows} spellcheck={false} {...bound} />
  if (type === 'integer') return <input inputMode="numeric" autocomplete="off" {...bound} />
  if (type !== 'text')
    return <input class="code" autocomplete="off" spellcheck={false} {...bound} />
  // An input would remove line breaks.
  const isLong = text.length > longLength || /[\r\n]/.test(text)
  if (isLong) return <textarea dir="auto" rows={rows + 2} {...bound} />
  return <input dir="auto" autocomplete="off" {...bound} />
}

/** Number of characters from which a text is shown in several lines. */
const longLength = 100
