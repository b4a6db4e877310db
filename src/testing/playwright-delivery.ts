import { AsyncLocalStorage } from 'node:async_hooks'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'

/**
 * The responses of a sandbox that are on their way to a page. `requests.waitFor` waits until they
 * have arrived.
 */
export class Deliveries {
  /** What is called when the current response has arrived. */
  readonly #actions = new AsyncLocalStorage<(() => void)[]>()
  constructor(sandbox: InProcessSandbox) {
    // Called for each entry while the request is handled, and therefore in its async context.
    sandbox.core.subscribe(({ id }, { journal: { unsent } }) => {
      const actions = this.#actions.getStore()
      if (!actions) return
      const arrived = new Promise<void>((resolve) => actions.push(resolve))
      unsent.set(id, arrived)
      actions.push(() => unsent.delete(id))
    })
  }

  /** Sends a request to the sandbox and its response to the page, in the action. */
  async track(deliver: () => Promise<void>): Promise<void> {
    const actions: (() => void)[] = []
    try {
      await this.#actions.run(actions, deliver)
    } finally {
      for (const action of actions) action()
    }
  }
}
