import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { RemoteError } from '../../control/client/error.js'
import { addresses } from '../../service/addresses.js'
import { parseJson } from '../../service/json.js'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import type { JsonSchema } from '../../service/openapi/schemas.js'
import { Card } from '../parts/card.js'
import { type FormField, toEntry } from '../parts/form-values.js'
import { LoadFailure } from '../parts/load-failure.js'
import { describeFailure, type Failure, toFailure } from '../session/failure.js'
import type { FaultField, FaultKind } from './fault-kinds.js'
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

/**
 * Reads the parts of the control API's OpenAPI document that the page uses.
 *
 * @param root URL of the sandbox, without a trailing slash.
 */
export function readControlContract(document: OpenApiDocument, root: string) {
  const { control, stagingControl } = addresses
  return {
    controlUrls: {
      production: root + control.httpPath,
      staging: root + stagingControl.httpPath,
    },
    faultKinds: readFaultKinds(document),
    petStatuses: readStatuses(document, 'NewPet'),
    orderStatuses: readStatuses(document, 'NewOrder'),
  }
}

function readStatuses({ components }: OpenApiDocument, name: string): readonly string[] {
  const status = resolveSchema(components, components.schemas[name]?.properties?.status)
  return (status.enum ?? []).map(String)
}

/** Reads the kinds of fault from the alternatives of the component `Fault`. */
export function readFaultKinds({ components }: OpenApiDocument): readonly FaultKind[] {
  const { oneOf = [] } = components.schemas.Fault ?? {}
  return oneOf.map((variant) => toFaultKind(components, variant))
}

type Components = Pick<OpenApiDocument['components'], 'schemas'>
type Subschema = JsonSchema | boolean | undefined

/** Follows a `$ref` to a component schema. Keeps the keywords beside the reference. */
function resolveSchema(components: Components, schema: Subschema): JsonSchema {
  if (typeof schema !== 'object') return {}
  const { $ref, ...rest } = schema
  const name = $ref?.split('/').at(-1)
  if (name === undefined) return schema
  return { ...resolveSchema(components, components.schemas[name]), ...rest }
}

function toFaultKind(components: Components, variant: Subschema): FaultKind {
  const { title, description, properties = {}, required = [] } = resolveSchema(components, variant)
  const { type, triggered: _, ...fields } = properties
  const typeSchema = resolveSchema(components, type)
  const typeName = String(typeSchema.const ?? typeSchema.enum?.[0])
  return {
    type: typeName,
    title: title ?? typeSchema.title ?? typeName,
    description: description ?? typeSchema.description ?? '',
    fields: Object.entries(fields)
      .map(([name, schema]) =>
        toFaultField(name, resolveSchema(components, schema), required.includes(name)),
      )
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
  }
}

function toFaultField(name: string, schema: JsonSchema, isRequired: boolean): FaultField {
  const { title = name, description, type, enum: options, default: value, examples } = schema
  const example = Array.isArray(examples) ? examples[0] : undefined
  return {
    name,
    title,
    help: description,
    type: options ? 'choice' : (inputs[String(type)] ?? 'json'),
    isRequired,
    isLong: type === 'array',
    options: options?.map(String),
    min: schema.minimum,
    max: schema.maximum,
    pattern: schema.pattern,
    placeholder: toEntry(value) || (isRequired ? '' : 'optional'),
    initial: isRequired ? toEntry(value ?? example) : '',
  }
}

/** Types of form fields by JSON type. Others are edited as JSON. */
const inputs: Readonly<Record<string, FormField['type']>> = {
  integer: 'integer',
  number: 'number',
  string: 'text',
}
