import * as z from 'zod/mini'
import { ControlClient, type ControlResponse, type SentInput } from '../../control/client/client.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  type ControlResult,
  controlOperations,
} from '../../control/operations.js'
import { UsageError } from '../../verify/usage-error.js'

/** Maximum size of a body. A larger body is not read to its end. */
const maximumBytes = 16 * 2 ** 20

/** Sends control requests to a server that may not be a sandbox. */
export class ToolClient extends ControlClient {
  /** @throws {UsageError} If the response is not that of the operation. */
  override async request<Id extends ControlOperationId>(
    id: Id,
    input?: SentInput<Id>,
  ): Promise<ControlResponse<ControlResult<Id>>> {
    const response = await super.request(id, input)
    const { body }: ControlOperation['response'] = controlOperations[id].response
    const { error } = z.safeParse(body?.schema ?? z.unknown(), response.body)
    // A later version can have more fields.
    if (!error || error.issues.every(({ code }) => code === 'unrecognized_keys')) return response
    const url = new URL(this.target.controlUrl).origin
    throw new UsageError(
      `the server at ${url} is not a petstore-sandbox of this version: its response to ${id} is another one; --url or PETSTORE_SANDBOX_URL must be the root of a sandbox`,
    )
  }
}

/** Sends a request like `fetch`. Rejects a body that is too large. */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maximumBytes) {
        throw new Error(`the body is larger than ${maximumBytes / 2 ** 20} MiB`)
      }
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(limit) ?? null, response)
}
