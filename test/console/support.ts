import { type Documents, readDocuments } from '../../src/console/documents/documents.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { toControlOpenApi } from '../../src/openapi/control.js'
import type { OpenApiDocument, OpenApiOptions } from '../../src/openapi/document.js'
import { toOpenApi } from '../../src/openapi/service.js'

export const origin = 'https://api.petstore.example'

/** Returns a document as a page receives it. */
export function toServed(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument // a copy
}

/** The documents of a sandbox at a root, as the page reads them. */
export function readServed(root = origin, options: OpenApiOptions = {}): Documents {
  return readDocuments(root, toServed(toOpenApi(options)), toServed(toControlOpenApi(options)))
}

/** A sandbox whose addresses are all below one origin, as over HTTP. */
export function openSandbox(): Promise<InProcessSandbox> {
  return createSandbox({
    baseUrl: `${origin}/v1`,
    stagingBaseUrl: `${origin}/staging/v1`,
    quickstartBaseUrl: `${origin}/quickstart`,
    controlUrl: `${origin}/sandbox`,
    stagingControlUrl: `${origin}/staging/sandbox`,
  })
}
