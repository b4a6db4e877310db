import { isStream } from '../../../src/control/operation.js'
import { type ControlOperationId, controlOperationIds } from '../../../src/control/operations.js'
import { toControlOpenApi } from '../../../src/engine/control-document.js'
import { createSandbox } from '../../../src/index.js'
import { addresses } from '../../../src/service/addresses.js'
import type { Operation } from '../../../src/service/openapi/build.js'
import { controlOperations } from '../../support/operations.js'

export const document = await toControlOpenApi()
export const json = 'application/json'
export const production = addresses.control.url
const params: Readonly<Record<string, string>> = { '{petId}': '7', '{id}': '1005' }

/** Opens a sandbox whose `default` world starts on 1 January 2026. Its real time does not advance. */
export async function open() {
  const sandbox = await createSandbox({ now: () => Date.parse('2026-01-01T09:00:00Z') })
  const headers = { authorization: 'Bearer sbx_free', 'content-type': json }
  const send = (url: string, init: RequestInit) => sandbox.fetch(url, { headers, ...init })
  return { sandbox, send }
}

/** Sends a control request to a new sandbox; by default with the documented example body. */
export async function requestExample(
  id: ControlOperationId,
  body: unknown = controlOperations[id].request?.example,
) {
  const { send } = await open()
  if (id === 'listRequests' || id === 'clearRequests') {
    await send(`${addresses.api.url}/inventory/7`, { method: 'PATCH', body: '{"quantity":25}' })
  }
  if (id === 'listMessages') {
    const message = '{"message":"Hello, pets!"}'
    await send(`${addresses.quickstart.url}/messages`, { method: 'POST', body: message })
  }
  const { method, path } = controlOperations[id]
  const below = path.replace(/\{\w+\}/, (name) => params[name] ?? name)
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await send(`${production}${below}`, { method, ...text })
  return { status: response.status, body: (await response.json()) as unknown }
}

/** Returns the example response of an operation in the document. */
export function findExample(id: ControlOperationId): unknown {
  const { method, path, response } = controlOperations[id]
  const item: Readonly<Record<string, unknown>> = { ...document.paths[`/sandbox${path}`] }
  const { responses } = item[method.toLowerCase()] as Operation // a path item has operations by method
  return responses[response.status ?? 200]?.content?.[json]?.example
}

/** The operations whose response ends. */
export const respondingIds = controlOperationIds.filter((id) => !isStream(controlOperations[id]))
