import type { JournalEntry } from '../../src/console/control-types.js'
import { type Documents, readDocuments } from '../../src/console/documents/documents.js'
import type { AccessSettings } from '../../src/control/access.js'
import { toControlOpenApi } from '../../src/engine/control-document.js'
import type { InProcessSandbox } from '../../src/index.js'
import type { OpenApiDocument } from '../../src/service/openapi/build.js'
import { toOpenApi } from '../../src/service/openapi/service.js'
import { createInProcessSandbox } from '../../src/transport/in-process/create.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'

export const origin = 'https://api.petstore.example'

/** Returns a document as the page receives it: a copy from JSON. */
export function toServed(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument // a copy of one
}

const control = await toControlOpenApi()

/** Returns the documents of a sandbox at a root URL, as the page reads them. */
export function readServed(root = origin): Documents {
  return readDocuments(root, toServed(toOpenApi()), toServed(control))
}

/** Creates a sandbox with all addresses at one origin, as over HTTP. */
export function openSandbox(access?: AccessSettings): Promise<InProcessSandbox> {
  const options = {
    baseUrl: `${origin}/v1`,
    stagingBaseUrl: `${origin}/staging/v1`,
    quickstartBaseUrl: `${origin}/quickstart`,
    controlUrl: `${origin}/sandbox`,
    stagingControlUrl: `${origin}/staging/sandbox`,
  }
  return createInProcessSandbox(options, new ScenarioLibrary(), access)
}

/** Fields of a journal entry, and of its request and response. */
export type EntryFields = Omit<Partial<JournalEntry>, 'request' | 'response'> & {
  request?: Partial<JournalEntry['request']>
  response?: Partial<JournalEntry['response']>
}

/** Creates a journal entry, as the control API sends it. */
export function createEntry({ request, response, ...fields }: EntryFields = {}): JournalEntry {
  return {
    id: 7,
    requestId: '1xzwr05-1',
    at: '2026-01-31T09:00:00.000Z',
    durationMs: 2.5,
    environment: 'production',
    operation: 'sendMessage',
    address: 'quickstart',
    userHandled: false,
    nearestOperation: null,
    apiKey: 'sbx_pro_defa…',
    request: {
      method: 'POST',
      path: '/messages',
      query: null,
      headers: { 'content-type': 'application/json', 'user-agent': 'shop/1.0' },
      body: '{"message":"hi"}',
      ...request,
    },
    response: {
      status: 202,
      aborted: false,
      code: null,
      headers: { 'content-type': 'application/json' },
      body: '{"ünï":1}',
      ...response,
    },
    explanation: ['sendMessage responds with 202'],
    incomplete: [],
    changes: [],
    ...fields,
  }
}
