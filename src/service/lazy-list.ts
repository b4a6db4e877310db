/** Records that were captured at one time. Later changes of their source do not affect them. */
export interface Captured<Item> extends Iterable<Item> {
  readonly length: number
}

/** A list that converts captured records when they are read. JSON represents it as an array. */
export class LazyList<Item> implements Captured<Item> {
  readonly #iterate: () => Iterator<Item>

  private constructor(
    readonly length: number,
    iterate: () => Iterator<Item>,
  ) {
    this.#iterate = iterate
  }

  /** @param convert Converts a record. Called each time the record is read. */
  static from<Source, Item>(
    records: Captured<Source>,
    convert: (record: Source) => Item,
  ): LazyList<Item> {
    return new LazyList(records.length, function* () {
      for (const record of records) yield convert(record)
    })
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#iterate()
  }

  toJSON(): Item[] {
    return [...this]
  }
}

/** A value whose lists may be lazy: the value itself, or its fields. */
export type Lazily<T> =
  | T
  | (T extends readonly (infer Item)[]
      ? LazyList<Item>
      : { readonly [Name in keyof T]: T[Name] | LazyListOf<T[Name]> })

type LazyListOf<T> = T extends readonly (infer Item)[] ? LazyList<Item> : never
