import { predictErrorCode, type ServiceOperation } from '../documents/service.js'
import type { TryInput } from './request.js'

interface TrialFieldsProps {
  readonly operation: ServiceOperation
  readonly input: TryInput
  /** Suggestions for the parameter `petId`. */
  readonly petIds: readonly string[]
  readonly onChange: (fields: Partial<TryInput>) => void
}

/** The input fields of an operation: its parameters, its body and the preferences. */
export function TrialFields(props: TrialFieldsProps) {
  return (
    <>
      <ParameterFields {...props} />
      <BodyField {...props} />
      <PreferenceFields {...props} />
    </>
  )
}

function ParameterFields({ operation, input, petIds, onChange }: TrialFieldsProps) {
  return (
    <>
      {operation.parameters.map(({ name, isRequired, example }) => (
        <label key={name} class="field">
          {name}
          <input
            class="code"
            list={name === 'petId' ? 'pet-ids' : undefined}
            value={input.parameters[name] ?? ''}
            placeholder={example}
            required={isRequired}
            onInput={(event) =>
              onChange({ parameters: { ...input.parameters, [name]: event.currentTarget.value } })
            }
          />
        </label>
      ))}
      <datalist id="pet-ids">
        {petIds.map((petId) => (
          <option key={petId} value={petId} />
        ))}
      </datalist>
    </>
  )
}

function BodyField({ input, onChange }: TrialFieldsProps) {
  if (input.body === undefined) return null
  return (
    <label class="field">
      Body
      <textarea
        class="code"
        rows={4}
        spellcheck={false}
        value={input.body}
        onInput={(event) => onChange({ body: event.currentTarget.value })}
      />
    </label>
  )
}

function PreferenceFields({ operation, input, onChange }: TrialFieldsProps) {
  return (
    <div class="pair">
      <label class="field">
        Preferred status
        <select
          value={input.code}
          onChange={(event) => onChange({ code: event.currentTarget.value })}
        >
          <option value="">none</option>
          {operation.preferableStatuses.map((status) => (
            <option key={status} value={status}>
              {status} {predictErrorCode(operation, status)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Preferred delay (s)
        <input
          type="number"
          min="0"
          max={operation.longestDelay}
          step="any"
          placeholder="0"
          value={input.delay}
          onInput={(event) => onChange({ delay: event.currentTarget.value })}
        />
      </label>
    </div>
  )
}
