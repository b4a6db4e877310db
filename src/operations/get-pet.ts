import { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import { defineBehaviour } from './behaviour.js'
import { toRecordJson } from './record.js'
import { petNotFound } from './update-inventory.js'

/** Shows one pet (spec §4.3); deprecated, and gone after its sunset (A21). */
export const getPet = defineBehaviour({
  run({ world, params }) {
    const { sunsetAtMs, afterSunset } = world.deprecation
    if (afterSunset === 'gone' && world.clock.now() >= sunsetAtMs) {
      const date = new Date(sunsetAtMs).toISOString()
      throw new Problem('operation_gone', `getPet was sunset at ${date}`)
    }
    const { petId = '' } = params
    const pet = world.db.findPet(petId)
    if (!pet) throw petNotFound(petId)
    const { quantity: _, ...record } = pet
    return { body: new JsonText(toRecordJson(record, ['petId'])) }
  },
})
