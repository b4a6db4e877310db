// Measures worlds in this process. The argument is the file of the package's entry point. Requires
// --expose-gc.
import { pathToFileURL } from 'node:url'
import { median } from '../measure.js'
import { answerParent } from './answer.js'
import { createScenario } from './pets.js'

const { createSandbox } = await import(pathToFileURL(process.argv[2]).href)
const change = {
  method: 'PATCH',
  headers: { Authorization: 'Bearer sbx_enterprise', 'Content-Type': 'application/json' },
  body: '{"quantity":7}',
}

const measurements = {
  /**
   * Milliseconds for a world of `default` when others exist: mean of 500. Collects garbage first, so
   * that the time does not include what the others have left.
   */
  async create({ existing }) {
    const sandbox = await createSandbox()
    const create = async (name, count) => {
      for (let label = 0; label < count; label++) {
        await sandbox.worldFor(`sbx_free_default_${name}${label}`)
      }
    }
    await create('existing', existing)
    globalThis.gc()
    const started = performance.now()
    await create('new', 500)
    return (performance.now() - started) / 500
  },

  /** Milliseconds of `sandbox.reset()` after a pet was added: median of 50. */
  async reset({ pets }) {
    const sandbox = await createSandbox({ scenario: createScenario(pets) })
    const pet = { petId: String(pets + 1), name: 'Added', quantity: 1, status: 'available' }
    const add = () => sandbox.world.addPet(pet)
    return repeat(50, add, () => sandbox.reset())
  },

  /** Milliseconds of `world.use(snapshot)` after one change: median of 20. */
  async snapshot({ pets }) {
    const sandbox = await createSandbox({ scenario: createScenario(pets) })
    const snapshot = sandbox.world.snapshot()
    return repeat(
      20,
      () => sendChange(sandbox),
      () => sandbox.world.use(snapshot),
    )
  },

  /** Milliseconds of `world.use('large-catalogue')` after one change: median of 10. */
  async scenario() {
    const sandbox = await createSandbox()
    return repeat(
      10,
      () => sendChange(sandbox),
      () => sandbox.world.use('large-catalogue'),
    )
  },

  /** KiB of an idle world of a scenario: mean. */
  async memory({ scenario, count }) {
    const sandbox = await createSandbox()
    await sandbox.worldFor(`sbx_free_${scenario}_first`)
    const before = readHeap()
    for (let label = 0; label < count; label++) {
      await sandbox.worldFor(`sbx_free_${scenario}_${label}`)
    }
    return (readHeap() - before) / count / 1_024
  },
}

answerParent('ready', ({ measurement, ...args }) => measurements[measurement](args))

function sendChange(sandbox) {
  return sandbox.fetch('https://api.petstore.example/v1/inventory/1', change)
}

/** Returns the median time of a function in milliseconds. */
async function repeat(count, prepare, run) {
  const times = []
  for (let index = 0; index < count; index++) {
    await prepare()
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return median(times)
}

function readHeap() {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
