import { createSandbox, type Scenario, type ScenarioName } from 'petstore-sandbox'
import { startMs } from '../../support/suite.js'
import type { Subject } from '../subject.js'

/** Scenarios whose data is generated, by their title. */
const scenarios: Readonly<Record<string, Omit<Scenario, 'name'>>> = {
  'seed 1': { generate: { pets: 30, orders: 20 } },
  'seed 2': { seed: 2, generate: { pets: 30, orders: 20 } },
  'seed -7': { seed: -7, generate: { pets: 12, orders: 6 } },
  'seed 4294967297, as seed 1': { seed: 4_294_967_297, generate: { pets: 12, orders: 6 } },
  'seed 2026, later': {
    seed: 2026,
    clock: { now: '2027-06-01T12:00:00.5Z' },
    generate: { pets: 3, orders: 30 },
  },
  'only pets': { seed: 2, generate: { pets: 3 } },
  'orders of listed pets': {
    pets: [{ petId: 41, name: 'Bella' }],
    orders: [{ id: 7, petId: 41 }],
    generate: { orders: 5 },
  },
  'after listed records': {
    seed: 5,
    pets: [
      { petId: '9007199254740993', name: 'Edge', quantity: 3, tags: ['calm'] },
      { petId: -5, name: 'Low' },
    ],
    orders: [{ id: 1_000, petId: -5, note: 'kept' }],
    generate: { pets: 4, orders: 4 },
  },
  'large-catalogue, extended': { extends: 'large-catalogue', generate: { pets: 5, orders: 2 } },
}

export const generate: Subject = {
  name: 'generate',
  async produce() {
    const produced: Record<string, unknown> = {}
    for (const [title, parts] of Object.entries(scenarios)) {
      produced[title] = await read({ name: 'generated', ...parts })
    }
    const { pets, orders } = await read('large-catalogue')
    produced['large-catalogue'] = {
      pets: pets.length,
      orders: orders.length,
      everyHundredthPet: pets.filter((_, at) => at % 100 === 99),
      everyHundredthOrder: orders.filter((_, at) => at % 100 === 99),
    }
    return produced
  },
}

async function read(scenario: ScenarioName | Scenario) {
  const { world } = await createSandbox({ now: () => startMs, scenario })
  return { pets: world.db.pets.list(), orders: world.db.orders.list() }
}
