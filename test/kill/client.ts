import { Agent, request } from 'node:http'

export interface ClientRequest {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body?: unknown
  /** Identifies the request in the journal. */
  readonly name?: string | undefined
}

export interface ClientResponse {
  readonly status: number
  readonly remaining: number
  readonly body: unknown
}

/** Sends requests to a port of this machine, with keep-alive. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true })

  constructor(readonly port: number) {}

  /** Rejects if the response is not complete. */
  send({ method, path, key, body, name = '' }: ClientRequest): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'user-agent': name,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const { port } = this
      const sent = request({ port, agent: this.#agent, method, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('error', reject).on('end', () => {
          const remaining = Number(response.headers['x-ratelimit-remaining'])
          resolve({ status: response.statusCode ?? 0, remaining, body: JSON.parse(text) })
        })
      })
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
