import type { WorldRequests } from '../report/merge.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import { RequestCollector } from './request-collector.js'
import type { TestSandbox } from './test-sandbox.js'

/** Separates the requests of tests that share a sandbox and may run at the same time. */
export class TestRecorder {
  readonly #collectors = new WeakMap<InProcessSandbox, RequestCollector>()
  /** Labels of the worlds of the running tests. */
  readonly #labels = new Set<string>()

  /** Returns the collector of the requests to a sandbox. */
  collect(sandbox: InProcessSandbox): RequestCollector {
    const collector = this.#collectors.get(sandbox) ?? new RequestCollector(sandbox)
    this.#collectors.set(sandbox, collector)
    return collector
  }

  /**
   * Starts to record the requests of a test. Returns a function that stops it and returns the requests.
   * Requests to worlds of no test belong to the first test that ends.
   */
  record(shared: InProcessSandbox, { world }: TestSandbox): () => WorldRequests[] {
    const collector = this.collect(shared)
    const { label } = world.name
    this.#labels.add(label)
    return () => {
      const own = collector.take(({ name }) => name.label === label, true)
      collector.forget(({ name }) => name.label === label)
      const others = collector.take(({ name }) => !this.#labels.has(name.label))
      this.#labels.delete(label)
      return [...own, ...others]
    }
  }
}
