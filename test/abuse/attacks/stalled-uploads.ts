import { toRawRequest } from '../client.js'
import { defineTrial, type TrialContext } from '../trial.js'

export const stalledUploads = defineTrial({
  name: 'stalled-uploads',
  title:
    'Clients at eight addresses send a part of a body with a key, from 7 MiB down to 8 bytes, and then nothing more.',
  unit: 'uploads',
  attempts: { small: 400, full: 800 },
  run: (context) => stallUploads(context, ['Authorization: Bearer sbx_free_default_uploads']),
})

export const stalledUploadsWithoutKey = defineTrial({
  name: 'stalled-uploads-without-key',
  title:
    'Clients at eight addresses send a part of a body without a key, from 7 MiB down to 8 bytes, and then nothing more.',
  unit: 'uploads',
  attempts: { small: 400, full: 800 },
  run: (context) => stallUploads(context, []),
})

/** The parts that are sent. The smaller ones use up what the larger ones leave of a limit. */
const sizes = [7 * 2 ** 20, 60 * 1024, 1024, 8]
const shares = [0.1, 0.4, 0.3, 0.2]

/** Sends parts of bodies, and keeps the connections open. */
async function stallUploads(context: TrialContext, headers: readonly string[]): Promise<void> {
  const head = toRawRequest('PUT /sandbox/scenario', [
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${8 * 2 ** 20}`,
  ])
  const parts = sizes.map((size) => Buffer.concat([head, Buffer.alloc(size, '[')]))
  for (const [index, part] of parts.entries()) {
    const count = Math.floor(context.attempts * (shares[index] ?? 0))
    for (let sent = 0; sent < count && !context.ending.aborted; sent++) {
      context
        .socket(`127.0.1.${1 + (sent % 8)}`)
        .resume()
        .write(part)
      context.count()
      await context.pause(part.length > 2 ** 20 ? 20 : 2)
    }
    await context.pause(300)
  }
  await context.pause(1_500)
}
