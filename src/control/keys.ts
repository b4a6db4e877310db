import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { maximumJoined, toExpiry } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { planIds } from '../service/plans.js'
import { timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import { suggestName } from '../service/validation/nearest-name.js'
import { describeValue } from '../service/validation/validate.js'
import { type ControlledSandbox, type ControlResource, defineControl } from './operation.js'

const keyRequestSchema = z.strictObject({
  plan: annotate(z._default(z.enum(planIds), 'free'), 'Plan of the key.'),
  scenario: annotate(
    z.optional(z.string()),
    `Name of a known scenario, or up to ${maximumJoined} names joined with \`+\`. Default: the scenario of the sandbox.`,
  ),
  expiresAt: annotate(
    z.optional(timestampSchema),
    'Time from which the key is rejected, rounded down to seconds. The signature of the key covers it, so only a sandbox with a key secret accepts it. Default: the key does not expire.',
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
      run({ body: { plan, scenario, expiresAt }, world, sandbox }) {
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
        const expiresMs = expiresAt === undefined ? undefined : readExpiry(expiresAt, sandbox)
        return { apiKey: sandbox.keys.issue(plan, scenario, undefined, expiresMs) }
      },
    }),
  },
} satisfies ControlResource

/** @throws {Problem} invalid_field, if this sandbox does not sign its keys, or the time has passed. */
function readExpiry(expiresAt: string, { access, settings }: ControlledSandbox): number {
  if (!access.signer) {
    throw new Problem('invalid_field', 'expiresAt requires a sandbox with a key secret')
  }
  const now = settings.platform.now()
  const expiresMs = toExpiry(Date.parse(expiresAt), now)
  if (expiresMs !== undefined) return expiresMs
  const wanted = `expiresAt must be later than ${toTimestamp(now)}, the time of this server`
  throw new Problem('invalid_field', `${wanted}, found ${describeValue(expiresAt)}`)
}

function reject(wanted: string, found: string): never {
  throw new Problem('invalid_scenario', `scenario must be ${wanted}, found ${found}`)
}
