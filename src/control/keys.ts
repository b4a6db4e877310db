import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { maximumJoined } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { planIds } from '../service/plans.js'
import { suggestName } from '../service/validation/nearest-name.js'
import { describeValue } from '../service/validation/validate.js'
import { type ControlResource, defineControl } from './operation.js'

const keyRequestSchema = z.strictObject({
  plan: annotate(z._default(z.enum(planIds), 'free'), 'Plan of the key.'),
  scenario: annotate(
    z.optional(z.string()),
    `Name of a known scenario, or up to ${maximumJoined} names joined with \`+\`. Default: the scenario of the sandbox.`,
  ),
})

export const keys = {
  title: 'Keys',
  description: 'API keys for private worlds.',
  operations: {
    createKey: defineControl({
      method: 'POST',
      path: '/keys',
      summary: 'Create a key with a random label, for a private world',
      description:
        'Creates a key of the form `sbx_<plan>_<scenario>_<label>` with a random label. Its world is created on the first request. A sandbox with a key secret adds a signature to the label, and accepts no other keys with a label. A sandbox can restrict who may create keys, for example to requests with the `Sandbox-Token` header.',
      permission: 'keys',
      request: {
        isOptional: true,
        schema: keyRequestSchema,
        example: { plan: 'pro', scenario: 'low-stock' },
      },
      response: {
        status: 201,
        description: 'The key. It is returned only here.',
        body: {
          schema: z.strictObject({ apiKey: annotate(z.string(), 'The key, unmasked.') }),
          example: { apiKey: 'sbx_pro_low-stock_5f0c9a4be1d84c7f9a3e6b2d8c1f7e40d2b6' },
        },
      },
      errors: ['invalid_scenario'],
      errorMessages: {
        invalid_field: `plan must be ${planIds.map((id) => `"${id}"`).join(' or ')}, found "gold" (string)`,
        invalid_scenario:
          'scenario must be the name of a known scenario, found "low-stok" (string); did you mean "low-stock"? known: default, empty-store, low-stock, large-catalogue, int64-ids, nearly-limited, rate-limited, gentle-limit, daily-quota-spent, banned-key, sunset-soon, sunset-passed, flaky, slow, realistic',
      },
      run({ body: { plan, scenario }, world, sandbox }) {
        const known = world.library.names()
        const names = scenario?.split('+') ?? []
        const unknown = names.find((name) => !known.includes(name))
        if (unknown !== undefined) {
          const found = `${describeValue(unknown)}${suggestName(unknown, known)}`
          reject('the name of a known scenario', found)
        }
        if (names.length > maximumJoined) {
          reject(`at most ${maximumJoined} names joined with +`, `${names.length}`)
        }
        return { apiKey: sandbox.keys.issue(plan, scenario) }
      },
    }),
  },
} satisfies ControlResource

function reject(wanted: string, found: string): never {
  throw new Problem('invalid_scenario', `scenario must be ${wanted}, found ${found}`)
}
