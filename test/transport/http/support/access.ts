import type { SandboxServerOptions } from '../../../../src/server.js'
import { issueKey as signKey } from '../../../../src/service/api-key.js'
import { createSigner } from '../../../../src/transport/http/access.js'
import { createHttpClient, type HttpResponse } from '../../../support/http-client.js'
import { openServer } from './open-server.js'

export const secret = 'a secret of the operator'
export const token = 'token-of-the-operator'

/** The parts of a request beyond method and path. */
export interface RequestParts {
  readonly key?: string
  readonly token?: string
  readonly json?: unknown
}

export type Send = (method: string, path: string, parts?: RequestParts) => Promise<HttpResponse>

/** Starts a server, and returns a function that sends requests to it. */
export async function openAccess(options: SandboxServerOptions = {}) {
  const { server, url } = await openServer(options)
  const request = createHttpClient(url)
  const send: Send = (method, path, { key = 'sbx_free', token: sent, json } = {}) => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'Sandbox-Token': sent }
    return request(`${method} ${path}`, { key, headers, json })
  }
  return { server, url, send }
}

/** Returns a key as `petstore-sandbox key --key-secret` prints it. */
export function issueKey(
  label: string,
  plan: 'free' | 'pro' = 'free',
  scenario = 'default',
  expiresMs?: number,
) {
  return signKey(createSigner([secret]), plan, scenario, label, expiresMs)
}
