import type { Build } from './build.js'
import type { Exchange } from './exchange.js'

/** The parts of an OpenAPI document that are read. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

interface DocumentedOperation {
  readonly operationId?: string
  readonly responses?: Readonly<Record<string, { readonly 'x-error-codes'?: readonly string[] }>>
}

interface Operation {
  readonly id: string
  readonly method: string
  /** Matches the target without the query. */
  readonly target: RegExp
  readonly codes: readonly string[]
}

/** The documents of a build, with a pattern for what precedes their paths. */
const documents: Readonly<Record<string, string>> = {
  '/openapi.json': '(?:/staging)?(?:/v1|/quickstart)',
  '/openapi.sandbox.json': '(?:/staging)?',
}

/** Documented codes that no sequence produces, with the reason. */
const unproduced: Readonly<Record<string, string>> = {
  internal_error: 'only a bug produces it, apart from faults and preferences',
  request_timeout: 'takes real time',
  sandbox_unavailable: 'requires a store that fails',
}

/** Part of a journal entry whose response a fault or the client may have determined. */
const injection = /"(fault|preference): /

/** Counts the outcomes of each operation: a success, an error code, or none. */
export class Coverage {
  readonly #outcomes = new Map<string, Map<string, number>>()

  private constructor(readonly operations: readonly Operation[]) {
    for (const { id } of operations) this.#outcomes.set(id, new Map())
  }

  /** Reads the operations from the OpenAPI documents that a build serves. */
  static async open({ createSandboxServer }: Build): Promise<Coverage> {
    const server = await createSandboxServer()
    const url = await server.listen({ port: 0 })
    const operations: Operation[] = []
    for (const [path, prefix] of Object.entries(documents)) {
      const response = await fetch(url + path)
      const document = (await response.json()) as Document // the parts of every OpenAPI document
      operations.push(...readOperations(document, prefix))
    }
    await server.close()
    return new Coverage(operations)
  }

  add({ request, response, entries }: Exchange): void {
    const { status, body, failure } = response
    if (typeof request === 'string') {
      for (const [, code = ''] of body.matchAll(/"code":"(\w+)"/g)) this.#count('(text)', code)
      return
    }
    if (request.method === 'HEAD') return
    const { id = '(none)' } = this.#find(request.method, request.target) ?? {}
    const [, injected] = injection.exec(entries.join('')) ?? []
    if (failure !== undefined) this.#count(id, '(broken)')
    else if (injected !== undefined) this.#count(id, `(${injected})`)
    else if (status < 400) this.#count(id, 'success')
    else this.#count(id, JSON.parse(Buffer.from(body, 'latin1').toString()).code)
  }

  /** Returns each operation that never succeeded, and each documented code that never appeared. */
  findGaps(): string[] {
    const counts = [...this.#outcomes.values()]
    const unsuccessful = this.operations.filter(({ id }) => !this.#outcomes.get(id)?.has('success'))
    const codes = new Set(this.operations.flatMap((operation) => operation.codes))
    const unseen = [...codes].filter(
      (code) => !(code in unproduced) && !counts.some((outcomes) => outcomes.has(code)),
    )
    return [...unsuccessful.map(({ id }) => `${id} success`), ...unseen]
  }

  /** Returns a line for each operation, with the number of each outcome. */
  toString(): string {
    const lines = [...this.#outcomes].map(([id, outcomes]) => {
      const counts = [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1))
      return `${id.padEnd(16)} ${counts.map((entry) => entry.join(' ')).join(', ')}`
    })
    return lines.join('\n')
  }

  #find(method: string, target: string): Operation | undefined {
    const [path = ''] = target.split('?')
    return this.operations.find(
      (operation) => operation.method === method && operation.target.test(path),
    )
  }

  #count(id: string, outcome: string): void {
    const outcomes = this.#outcomes.get(id) ?? new Map<string, number>()
    this.#outcomes.set(id, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
  }
}

function readOperations({ paths }: Document, prefix: string): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id, responses }]) => {
      if (id === undefined) return []
      const target = new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      const codes = Object.values(responses ?? {}).flatMap((found) => found['x-error-codes'] ?? [])
      return { id, method: method.toUpperCase(), target, codes }
    }),
  )
}
