import { type ErrorCode, errorCodes } from '../../contract/errors.js'
import {
  type OperationContract,
  type OperationId,
  operations,
} from '../../operations/operations.js'
import { documentedStatuses } from '../../pipeline/inject.js'
import type { TryInput } from './real-request.js'

interface TrialFieldsProps {
  readonly id: OperationId
  readonly input: TryInput
  /** Offered as path parameters. */
  readonly petIds: readonly string[]
  readonly onChange: (fields: Partial<TryInput>) => void
}

/** The fields that an operation takes, from its row in the contract. */
export function TrialFields({ id, input, petIds, onChange }: TrialFieldsProps) {
  const contract: OperationContract = operations[id]
  return (
    <>
      {Object.entries(input.parameters).map(([name, value]) => (
        <label key={name} class="field">
          {name}
          <input
            class="code"
            list="pet-ids"
            value={value}
            required
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
      {input.body !== undefined && (
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
      )}
      <div class="pair">
        <label class="field">
          Prefer a status
          <select
            value={input.code}
            onChange={(event) => onChange({ code: event.currentTarget.value })}
          >
            <option value="">as it comes</option>
            {documentedStatuses(contract).map((status) => (
              <option key={status} value={status}>
                {status} {toCodes(contract, status)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Prefer to wait (s)
          <input
            type="number"
            min="0"
            max="60"
            step="any"
            placeholder="0"
            value={input.wait}
            onInput={(event) => onChange({ wait: event.currentTarget.value })}
          />
        </label>
      </div>
    </>
  )
}

/** The first code that an operation answers with a status: the one that a preference brings. */
function toCodes(contract: OperationContract, status: number): ErrorCode | '' {
  return contract.errors.find((code) => errorCodes[code].status === status) ?? ''
}
