import { platform } from '../../engine/platform.js'
import { maskApiKey } from '../../service/api-key.js'
import { UsageError } from '../../verify/usage-error.js'
import type { McpOptions } from './options.js'
import { recordedNote, toRecordedBlock } from './recorded.js'
import type { ToolOutput } from './tool.js'

const timeoutMs = 30_000

/** The longest time that a run waits for the limit of the key, in seconds. Clients give up after 60 s. */
const maxWaitSeconds = 20

export const verifyDescription =
  'Checks the deployment of the command line against the specification of the service, with requests that only read. It reaches no other URL.'

/**
 * Checks the deployment that the options name.
 *
 * @throws {UsageError} If there is no key, or the deployment does not respond.
 */
export async function runVerify(
  { verifyUrl: url = '', verifyKey: key }: McpOptions,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (key === undefined) {
    throw new UsageError(
      'the key is missing; start the command with --verify-key or PETSTORE_API_KEY',
    )
  }
  const [{ verify }, { createHttpSender }, { countOutcomes }] = await Promise.all([
    import('../../verify/run.js'),
    import('../../verify/http-sender.js'),
    import('../../verify/report.js'),
  ])
  const send = createHttpSender({ timeoutMs, keys: [key], userAgent: 'petstore-sandbox verify' })
  const settings = { key, send, signal, maxWaitSeconds, allowsWrites: false, exhausts: false }
  const urls = { api: url, staging: undefined, quickstart: undefined }
  const verification = await verify({ ...platform, ...settings, urls, notify: () => {} }).catch(
    (error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      // The message may have text of the server.
      throw new UsageError(
        `${url} could not be checked; the user must correct --verify-url\n${toRecordedBlock([error.message])}`,
      )
    },
  )
  const { results, requests, stopped = null } = verification
  const shown = results.filter(({ outcome }) => outcome === 'deviates' || outcome === 'failed')
  const { agrees = 0, deviates = 0, failed = 0, skipped = 0 } = countOutcomes(verification)
  const counts = `${agrees} agree, ${deviates} deviate, ${failed} had no response, ${skipped} skipped`
  const target = `${url} with the key ${maskApiKey(key)}`
  return {
    text: `${results.length} checks of ${target}: ${counts}.`,
    recorded: stopped === null ? shown : [...shown, { stopped }],
    next:
      shown.length === 0
        ? 'Nothing deviates. Skipped checks need the command petstore-sandbox verify.'
        : 'Tell the owner of the deployment what deviates.',
    data: { note: recordedNote, agrees, deviates, failed, skipped, requests, stopped, shown },
  }
}
