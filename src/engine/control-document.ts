import { describeControlApi } from '../control/document.js'
import type { AddressId } from '../service/addresses.js'
import { journalEntries, retainMs, worldBytes, worldsBytes } from '../service/bounds.js'
import type { OpenApiDocument } from '../service/openapi/build.js'
import type { OpenApiOptions } from '../service/openapi/source.js'
import type { OperationContract } from '../service/operations/operation.js'
import { operations } from '../service/operations/operations.js'
import { ScenarioLibrary } from '../world/scenario/library.js'
import type { ApiRequest, ApiResponse } from './exchange.js'
import { platform } from './platform.js'
import { respond } from './respond.js'
import { Sandbox } from './sandbox.js'

/** Returns the OpenAPI document of the control API. Each example is the response of a new sandbox. */
export function toControlOpenApi(options: OpenApiOptions = {}): Promise<OpenApiDocument> {
  return describeControlApi(options, async (operation) => {
    const sandbox = await createSandbox()
    const sendService = () => send(sandbox, 'api', operations.updateInventory)
    if (operation.path === '/requests') await sendService()
    const { body, stream } = await send(sandbox, 'control', operation)
    if (!stream) return JSON.parse(body?.text ?? '')
    let text = ''
    const add = (chunk: Uint8Array) => (text += decoder.decode(chunk))
    stream({ send: add, end() {} })
    await sendService()
    return text
  })
}

/** Creates a sandbox whose time stands still. */
function createSandbox(): Promise<Sandbox> {
  const startMs = Date.UTC(2026, 0, 1, 9)
  const settings = {
    library: new ScenarioLibrary(),
    platform: { ...platform, now: () => startMs, monotonic: () => 0 },
    journalHeaders: new Set<string>(),
    journalCapacity: journalEntries,
    maxWorlds: undefined,
    maxMemory: worldsBytes,
    maxWorldMemory: worldBytes,
    retainMs,
  }
  return Sandbox.create(settings, 'default')
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Sends the example request of an operation. */
function send(
  sandbox: Sandbox,
  address: AddressId,
  { method, path, pathParameter, request }: OperationContract,
): Promise<ApiResponse> {
  const headers = new Headers({
    Authorization: 'Bearer sbx_free',
    'Content-Type': 'application/json',
  })
  const example: ApiRequest = {
    method,
    address,
    path: path.replace(/\{\w+\}/, String(pathParameter?.example ?? 7)),
    query: '',
    header: (name) => headers.get(name) ?? undefined,
    forEachHeader(visit) {
      for (const [name, value] of headers) visit(name, value)
    },
    isAborted: false,
    onAbort() {},
    readBody: () => request && Promise.resolve(encoder.encode(JSON.stringify(request.example))),
  }
  return respond(example, sandbox)
}
