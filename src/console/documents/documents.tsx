import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { RemoteError } from '../../control/client/error.js'
import { parseJson } from '../../service/json.js'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { describeFailure, type Failure, toFailure } from '../session/failure.js'
import { readControlContract } from './control.js'
import { readServiceContract } from './service.js'

/** The parts of the OpenAPI documents that the page uses. */
export type Documents = ReturnType<typeof readDocuments>

/** Paths of the OpenAPI documents below the root. */
export const documentPaths = {
  service: '/openapi.json',
  service30: '/openapi.3.0.json',
  control: '/openapi.sandbox.json',
} as const

const retryMs = 2_000

const DocumentsContext = createContext<Documents | undefined>(undefined)

/**
 * Reads both OpenAPI documents of a sandbox.
 *
 * @param root URL of the sandbox and of the page, without a trailing slash.
 */
export function readDocuments(root: string, service: OpenApiDocument, control: OpenApiDocument) {
  return {
    root,
    service: readServiceContract(service, root),
    control: readControlContract(control, root),
  }
}

/** Loads the documents, then renders the children. Retries until the sandbox responds. */
export function DocumentsProvider(props: {
  children: (documents: Documents) => ComponentChildren
}) {
  const [documents, setDocuments] = useState<Documents>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    const load = () =>
      loadDocuments(findRoot()).then(setDocuments, (error) => {
        setFailure(toFailure(error))
        setTimeout(load, retryMs)
      })
    void load()
  }, [])
  if (documents) {
    return (
      <DocumentsContext.Provider value={documents}>
        {props.children(documents)}
      </DocumentsContext.Provider>
    )
  }
  return (
    <main class="page">
      <Card title="petstore-sandbox">
        {failure ? (
          <LoadFailure what="The OpenAPI documents of the sandbox" failure={failure} />
        ) : (
          <p>Loading…</p>
        )}
      </Card>
    </main>
  )
}

/**
 * Returns the documents of the sandbox.
 *
 * @throws {Error} Outside a `DocumentsProvider`.
 */
export function useDocuments(): Documents {
  const documents = useContext(DocumentsContext)
  if (documents) return documents
  throw new Error('useDocuments must be used inside a DocumentsProvider')
}

/** Returns the URL of the sandbox: the URL of the page, which may have a path prefix. */
function findRoot(): string {
  return new URL('.', document.baseURI).href.replace(/\/$/, '')
}

async function loadDocuments(root: string): Promise<Documents> {
  const [service, control] = await Promise.all([
    loadDocument(root + documentPaths.service),
    loadDocument(root + documentPaths.control),
  ])
  try {
    return readDocuments(root, service, control)
  } catch {
    throw toError(new Response())
  }
}

/** @throws {RemoteError} If the response is not a JSON document. */
async function loadDocument(url: string): Promise<OpenApiDocument> {
  const response = await fetch(url).catch(() => undefined)
  const document = response?.ok ? parseJson(await response.text()) : undefined
  if (document === undefined) throw toError(response)
  return document as OpenApiDocument // otherwise, readDocuments throws
}

/** Words a response that is not an OpenAPI document of a sandbox, or no response. */
function toError(response: Response | undefined): RemoteError {
  const code = response ? 'foreign_response' : 'unreachable'
  const { message, advice } = describeFailure({ code, ...(response && { response }) })
  return new RemoteError(code, message, { advice })
}
