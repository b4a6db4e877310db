/** The world that the page uses. */
export interface WorldState {
  readonly scenario: string
  /** Incremented when the world starts anew. */
  readonly starts: number
  /** Incremented when something else than the page has changed the world. */
  readonly changes: number
}

/** What the page does with its sandbox. */
export abstract class MockWorld {
  readonly #listeners = new Set<() => void>()
  #state: WorldState

  constructor(scenario: string) {
    this.#state = { scenario, starts: 0, changes: 0 }
  }

  /** Another object after each change. */
  get state(): WorldState {
    return this.#state
  }

  /** Returns the API key of a plan. A real shop has one fixed key. */
  abstract toApiKey(plan: string): string

  /** Selects a scenario. */
  abstract use(scenario: string): Promise<void>

  /** Calls a listener when the state has changed. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected start(scenario: string): void {
    this.#set({ scenario, starts: this.#state.starts + 1, changes: 0 })
  }

  protected change(): void {
    this.#set({ ...this.#state, changes: this.#state.changes + 1 })
  }

  #set(state: WorldState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
