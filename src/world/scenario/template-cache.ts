import type { RecordTemplate } from '../database/template.js'
import { RetainedValues } from './retained.js'
import type { FilledScenario } from './schema.js'

/**
 * The templates that worlds use, by the lists and the settings that they were created from. A
 * scenario with the same records as another shares its template.
 */
export class TemplateCache {
  readonly retained = new RetainedValues<RecordTemplate>()
  /** Weak, because the worlds account for their templates. */
  readonly #templates = new Map<string, WeakRef<RecordTemplate>>()
  readonly #collected = new FinalizationRegistry<string>((key) => this.#removeCollected(key))
  readonly #listIds = new WeakMap<object, number>()
  #lastListId = 0

  find(filled: FilledScenario): RecordTemplate | undefined {
    return this.#templates.get(this.#toKey(filled))?.deref()
  }

  add(filled: FilledScenario, template: RecordTemplate): void {
    const key = this.#toKey(filled)
    this.#templates.set(key, new WeakRef(template))
    this.#collected.register(template, key)
  }

  /** Retains a template also while no world uses it. */
  retain(template: RecordTemplate): void {
    this.retained.use(template, template.bytes)
  }

  #toKey({ pets, orders, messages, generate, seed, clock }: FilledScenario): string {
    const lists = [pets, orders, messages].map((list) => this.#idOf(list))
    const isGenerated = generate.pets > 0 || generate.orders > 0
    const generated = isGenerated ? [generate.pets, generate.orders, seed, clock.now] : []
    return [...lists, ...generated].join(' ')
  }

  /** Returns a number that identifies a validated list; 0 for an empty one. */
  #idOf(list: readonly unknown[]): number {
    if (list.length === 0) return 0
    const found = this.#listIds.get(list)
    if (found !== undefined) return found
    this.#lastListId += 1
    this.#listIds.set(list, this.#lastListId)
    return this.#lastListId
  }

  #removeCollected(key: string): void {
    if (this.#templates.get(key)?.deref() === undefined) this.#templates.delete(key)
  }
}
