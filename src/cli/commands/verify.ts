import type { Command } from 'commander'
import { AssessmentCommand, addOptions, readOptions, toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'
import { verifyOptions } from '../verify/options.js'

const notes = `
Without further options it only reads. It sends the key to the given URLs only, follows no
redirects, waits when the limit of the key is used up, and stops at a 429.
Exit code: 0 if the service agrees with the specification, 1 if it deviates, 2 if it could not be
checked, or if --strict is set and a check was skipped.
`

/** Defines `verify`, which checks a deployment of the service against the specification. */
export function defineVerify(terminal: Terminal): Command {
  const command = new AssessmentCommand('verify')
    .description('Checks a deployment of the service against the specification.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'verify --url https://api.shop.example/v1',
          'verify --url http://127.0.0.1:4010/v1 --key sbx_free --plan free',
          'verify --url https://api.shop.example/v1 --staging-url https://staging.shop.example/v1',
          'verify --url https://api.shop.example/v1 --allow-writes --pet 7',
          'verify --url https://api.shop.example/v1 --format junit --output verify.xml',
        ]),
    )
  return addOptions(command, verifyOptions).action(async () => {
    const settings = readOptions(command, verifyOptions)
    const { runVerify } = await import('../verify/run.js')
    await runVerify(settings, terminal)
  })
}
