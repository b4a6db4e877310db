import * as z from 'zod/mini'
import { Problem } from '../../service/errors.js'
import type { Int64Input } from '../../service/int64.js'
import type { Change, RecordPut } from '../../service/operations/operation.js'
import {
  createNotFoundProblem,
  idOf,
  recordKinds,
  type WritableKind,
  withArticle,
} from '../../service/records.js'
import { type RecordInput, type RecordOf, recordModels } from '../../service/schemas.js'
import { isPlainObject } from '../../service/validation/options.js'
import { readValue } from '../../service/validation/validate.js'
import { ScenarioError } from '../scenario/error.js'
import { toPlainData } from '../scenario/read.js'
import { Table } from './table.js'

/** The fields to change, all optional. */
export type RecordChanges<Kind extends WritableKind> = {
  readonly [Name in keyof RecordInput<Kind>]?: RecordInput<Kind>[Name] | undefined
}

/** The records of a kind that can be added, changed and removed, such as `world.db.pets`. */
export class Collection<Kind extends WritableKind> extends Table<Kind> {
  readonly #apply: (change: Change) => void

  /**
   * @internal
   * @param apply Executes a change of the world.
   */
  constructor(shared: Table<Kind>, total: { bytes: number }, apply: (change: Change) => void) {
    super(shared.kind, shared, total)
    this.#apply = apply
  }

  /**
   * Adds a record. Returns it with the defaults of fields that are not given.
   *
   * @param input The fields of the record. For additional fields, pass a value of type
   * `PetInput & Record<string, unknown>`.
   * @throws {Problem} invalid_field, missing_field, resource_conflict if the id already exists, or
   * sandbox_capacity if the world has 20,000 records of the kind.
   */
  add(input: RecordInput<Kind>): RecordOf<Kind> {
    const { noun, id: field } = recordKinds[this.kind]
    const { maximum } = recordModels[this.kind]
    const record = this.#read(input)
    const id = idOf(this.kind, record)
    if (this.find(id)) {
      const message = `${withArticle(noun)} with the ${field} ${id} already exists in this world; change it instead`
      throw new Problem('resource_conflict', message)
    }
    if (this.count >= maximum) {
      const message = `a world of this sandbox has at most ${maximum} ${this.kind}; remove some`
      throw new Problem('sandbox_capacity', message)
    }
    return this.#put(record)
  }

  /**
   * Changes the given fields of a record. Returns the record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @param fields The fields to change. An undefined field is not changed; an additional field that
   * is null is removed.
   * @throws {Problem} pet_not_found or resource_not_found, or invalid_field.
   */
  change(id: Int64Input, fields: RecordChanges<Kind>): RecordOf<Kind> {
    const { id: field } = recordKinds[this.kind]
    const changes = this.#readFields(fields)
    const current = this.#get(id)
    const record = this.#read(this.#merge(current, changes))
    const [before, after] = [idOf(this.kind, current), idOf(this.kind, record)]
    if (after !== before) {
      const message = `${field} cannot change: it must be ${before}, found ${after}`
      throw new Problem('invalid_field', message)
    }
    return this.#put(record)
  }

  /**
   * Removes only this record: the orders of a pet remain. Returns the removed record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @throws {Problem} pet_not_found or resource_not_found.
   */
  remove(id: Int64Input): RecordOf<Kind> {
    const record = this.#get(id)
    this.#apply({ type: 'record.removed', kind: this.kind, id: idOf(this.kind, record) })
    return record
  }

  #get(id: Int64Input): RecordOf<Kind> {
    const record = this.find(id)
    if (record) return record
    throw createNotFoundProblem(this.kind, id)
  }

  #put(record: RecordOf<Kind>): RecordOf<Kind> {
    // The kind and its record belong together.
    this.#apply({ type: 'record.put', kind: this.kind, record } as RecordPut)
    return this.#get(idOf(this.kind, record))
  }

  #read(fields: unknown): RecordOf<Kind> {
    const schema: z.ZodMiniType = recordModels[this.kind].schema
    return readValue(schema, this.#readFields(fields), this.#whole) as RecordOf<Kind> // by its schema
  }

  /** Name of a record in error messages. */
  get #whole(): string {
    return `the ${recordKinds[this.kind].noun}`
  }

  /**
   * Copies the fields of a record as plain JSON data. Applies the limits of scenario files, so that a
   * snapshot of the world is a valid scenario.
   *
   * @throws {Problem} invalid_field if the value is not an object of JSON data, or exceeds the
   * limits.
   */
  #readFields(input: unknown): Fields {
    const int64s: readonly string[] = recordKinds[this.kind].int64s
    // JSON has no bigints. Every method takes one as an id.
    const fields = Object.entries(readValue(fieldsSchema, input, this.#whole)).map(
      ([name, value]) =>
        [name, typeof value === 'bigint' && int64s.includes(name) ? String(value) : value] as const,
    )
    try {
      return toPlainData(Object.fromEntries(fields), this.#whole, [this.kind, 0]) as Fields // with the same shape
    } catch (error) {
      if (error instanceof ScenarioError) throw new Problem('invalid_field', error.message)
      throw error
    }
  }

  /**
   * Merges changes into a record as in a JSON merge patch (RFC 7396): an additional field that is null
   * is removed. A documented field cannot be removed, so that null is an invalid value of it.
   */
  #merge(record: object, changes: Fields): Fields {
    const { shape } = recordModels[this.kind].schema
    const isRemoved = (name: string) => changes[name] === null && !Object.hasOwn(shape, name)
    const merged = Object.entries({ ...record, ...changes })
    return Object.fromEntries(merged.filter(([name]) => !isRemoved(name)))
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a record before validation. `z.object` would silently drop `__proto__`. */
export const fieldsSchema = z.custom<Fields>(isPlainObject, {
  error: 'an object',
})
