import type { World } from '../control/world.js'
import type { WorldRequests } from '../report/merge.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'

/** The state of a world whose requests are collected. */
interface CollectedWorld {
  /** Requests of the runs that have ended. */
  readonly ended: WorldRequests[]
  /** Id of the last request that was taken. */
  takenId: number
  /** Number of requests of the current run that were taken. */
  takenCount: number
}

/** Collects the requests of all worlds of a sandbox, including requests that a restart removes. */
export class RequestCollector {
  readonly #worlds = new Map<World, CollectedWorld>()
  readonly #sandbox: InProcessSandbox

  constructor(sandbox: InProcessSandbox) {
    this.#sandbox = sandbox
    for (const world of sandbox.core.worlds.all()) this.#watch(world)
    sandbox.core.requests.add((_, world) => this.#watch(world))
  }

  /**
   * Returns the requests that have not been taken yet.
   *
   * @param isIncluded Selects the worlds.
   * @param hasOneKey Whether the test, and not the client, uses one key in both environments.
   */
  take(isIncluded: (world: World) => boolean = () => true, hasOneKey = false): WorldRequests[] {
    return [...this.#worlds]
      .filter(([world]) => isIncluded(world))
      .flatMap(([world, collected]) => {
        this.#endRun(world, collected)
        const requests = collected.ended.splice(0)
        return hasOneKey ? requests.map(withoutElsewhere) : requests
      })
  }

  /** Removes worlds that receive no further requests. */
  forget(isIncluded: (world: World) => boolean): void {
    for (const world of this.#worlds.keys()) if (isIncluded(world)) this.#worlds.delete(world)
  }

  #watch(world: World): void {
    // Another collector of the same sandbox collects its requests.
    if (this.#worlds.has(world) || world.journal.beforeClear) return
    const collected: CollectedWorld = { ended: [], takenId: 0, takenCount: 0 }
    this.#worlds.set(world, collected)
    world.journal.beforeClear = () => {
      this.#endRun(world, collected)
      collected.takenCount = 0
    }
  }

  /** Takes the requests of the current run. */
  #endRun(world: World, collected: CollectedWorld): void {
    const { facts, newestId } = world.journal
    const total = [...facts.received.values()].reduce((sum, count) => sum + count, 0)
    const received = total - collected.takenCount
    if (received <= 0) return
    collected.ended.push({ ...this.#toRequests(world, collected), received })
    collected.takenCount = total
    collected.takenId = newestId
  }

  #toRequests(world: World, { takenId }: CollectedWorld): Omit<WorldRequests, 'received'> {
    const facts = world.journal.facts.items.filter(({ id }) => id > takenId)
    const accounts = [...new Set(facts.flatMap(({ account }) => account ?? []))]
    const counterpart = this.#findCounterpart(world)
    return {
      environment: world.name.environment,
      nowMs: world.clock.now(),
      limits: { plans: world.seed.plans, ban: world.rules.ban },
      messageStatus: world.rules.messageStatus,
      elsewhere: accounts.map(
        (account) => counterpart?.journal.facts.received.has(account) === true,
      ),
      facts: facts.map((fact) => ({
        ...fact,
        account: fact.account === null ? null : `${accounts.indexOf(fact.account)}`,
      })),
    }
  }

  /** Returns the world of the same keys in the other environment. */
  #findCounterpart({ name: { environment, scenario, label } }: World): World | undefined {
    return this.#sandbox.core.worlds
      .all()
      .find(
        ({ name }) =>
          name.environment !== environment && name.scenario === scenario && name.label === label,
      )
  }
}

function withoutElsewhere(requests: WorldRequests): WorldRequests {
  return { ...requests, elsewhere: requests.elsewhere.map(() => null) }
}
