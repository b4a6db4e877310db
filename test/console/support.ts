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
