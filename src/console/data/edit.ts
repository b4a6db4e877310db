import { readAdditional, toPatch } from './additional-fields.js'
import {
  additional,
  type Draft,
  type Field,
  type JsonRecord,
  pickAdditional,
  toDraft,
  toJson,
} from './fields.js'
import type { Problems } from './problems.js'
import type { RecordKind } from './record-kind.js'

/** The body of a request that saves a draft, or why it cannot be sent. */
export type Body =
  | { readonly json: string; readonly problems?: undefined }
  | { readonly json?: undefined; readonly problems: Problems }

type Fields = Pick<RecordKind<JsonRecord>, 'fields'>

/** Returns the body that adds a record: the fields of a record, or of none, with those of a draft. */
export function toNewRecord({ fields }: Fields, record: JsonRecord, draft: Draft): Body {
  const written = { ...toDraft(record, fields), ...draft }
  const { fields: others, problem } = readAdditional(written[additional] ?? '', fields)
  if (problem !== undefined) return { problems: { [additional]: problem } }
  return { json: joinMembers(toMembers(fields, written), others) }
}

/** Returns the body that changes a record: only what the draft changes. Undefined if that is nothing. */
export function toChange({ fields }: Fields, record: JsonRecord, draft: Draft): Body | undefined {
  const before = toDraft(record, fields)
  const changed = fields.filter(({ name }) => {
    const text = draft[name]
    return text !== undefined && text !== before[name]
  })
  const members = toMembers(changed, draft)
  const text = draft[additional]
  if (text === undefined || text === before[additional]) {
    return members.length === 0 ? undefined : { json: joinMembers(members, {}) }
  }
  const read = readAdditional(text, fields)
  if (read.problem !== undefined) return { problems: { [additional]: read.problem } }
  const patch = toPatch(pickAdditional(record, fields), read.fields)
  if ('problem' in patch) return { problems: { [additional]: patch.problem } }
  const isSame = members.length === 0 && Object.keys(patch.members).length === 0
  return isSame ? undefined : { json: joinMembers(members, patch.members) }
}

function toMembers(fields: readonly Field[], draft: Draft): readonly string[] {
  return fields.map((field) => toMember(field.name, toJson(field, draft[field.name] ?? '')))
}

function toMember(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`
}

function joinMembers(members: readonly string[], others: JsonRecord): string {
  const rest = Object.entries(others).map(([name, value]) => toMember(name, JSON.stringify(value)))
  return `{${[...members, ...rest].join()}}`
}
