import { defineCommand } from '../command.js'
import { verifyOptions } from '../verify/options.js'

/** Checks a deployment of the service against the specification. */
export const verify = defineCommand({
  name: 'verify',
  description: 'Checks a deployment of the service against the specification.',
  isAssessment: true,
  options: verifyOptions,
  notes: `Without further options it only reads. It sends the key to the given URLs only, follows no
redirects, waits when the limit of the key is used up, and stops at a 429.
Exit code: 0 if the service agrees with the specification, 1 if it deviates, 2 if it could not be
checked, or if --strict is set and a check was skipped.`,
  examples: [
    'verify --url https://api.shop.example/v1',
    'verify --url http://127.0.0.1:4010/v1 --key sbx_free --plan free',
    'verify --url https://api.shop.example/v1 --staging-url https://staging.shop.example/v1',
    'verify --url https://api.shop.example/v1 --allow-writes --pet 7',
    'verify --url https://api.shop.example/v1 --format junit --output verify.xml',
  ],
  async run(values, terminal) {
    const { runVerify } = await import('../verify/run.js')
    await runVerify(values, terminal)
  },
})
