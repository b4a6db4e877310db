import type { SandboxServerOptions } from '../../../../src/server.js'
import { formatKey } from '../../../../src/service/api-key.js'
import { createSigner } from '../../../../src/transport/http/access.js'
import { openServer } from './open-server.js'

export const secret = 'a secret of the operator'
export const token = 'token-of-the-operator'

/** The parts of a request beyond method and path. */
export interface RequestParts {
  readonly key?: string
  readonly token?: string
  readonly json?: unknown
}

/** A response with its JSON body. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The `code` of an Error body. */
  readonly code: unknown
  readonly json: unknown
}

export type Send = (method: string, path: string, parts?: RequestParts) => Promise<Answer>

/** Starts a server, and returns a function that sends requests to it. */
export async function openAccess(options: SandboxServerOptions = {}) {
  const { server, url } = await openServer(options)
  const send: Send = async (method, path, { key = 'sbx_free', token: sent, json } = {}) => {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}` }
    if (sent !== undefined) headers['Sandbox-Token'] = sent
    if (json !== undefined) headers['Content-Type'] = 'application/json'
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const response = await fetch(`${url}${path}`, { method, headers, ...body })
    const text = await response.text()
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, text, code: Object(parsed).code, json: parsed }
  }
  return { server, url, send }
}

/** Returns a key as `petstore-sandbox key --key-secret` prints it. */
export function issueKey(label: string, plan: 'free' | 'pro' = 'free', scenario = 'default') {
  return formatKey(createSigner([secret]), plan, scenario, label)
}
