// Time of a reset, and memory of an idle world. Run with --expose-gc.
import { createSandbox } from '../dist/src/index.js'

const worlds = 200

/** Prints the time of a reset and the memory of an idle world. */
export async function benchWorlds() {
  for (const pets of [100, 1_000]) await benchReset(pets)
  for (const scenario of ['default', 'large-catalogue']) await benchMemory(scenario)
}

async function benchReset(pets) {
  const sandbox = await createSandbox({ scenario: { name: 'bench', generate: { pets } } })
  const times = []
  for (let round = 0; round < 200; round++) {
    await sandbox.fetch('https://api.petstore.example/v1/inventory/1', {
      method: 'PATCH',
      headers: { Authorization: 'Bearer sbx_enterprise', 'Content-Type': 'application/json' },
      body: `{"quantity":${round}}`,
    })
    const started = performance.now()
    sandbox.reset()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const [median, worst] = [times[100], times.at(-1)].map((time) => time.toFixed(3))
  console.log(
    `\nsandbox.reset() at ${pets} pets: median ${median} ms, maximum ${worst} ms of ${times.length}`,
  )
}

async function benchMemory(scenario) {
  const sandbox = await createSandbox({ maxWorlds: worlds * 2 })
  const count = scenario === 'default' ? worlds : 20
  await sandbox.worldFor(`sbx_free_${scenario}_first`)
  const before = heap()
  for (let label = 0; label < count; label++) {
    await sandbox.worldFor(`sbx_free_${scenario}_${label}`)
  }
  const kib = (heap() - before) / count / 1_024
  console.log(`An idle world of ${scenario}: ${kib.toFixed(0)} KiB (mean of ${count})`)
}

function heap() {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
