import { tokenHeader } from '../../../service/headers.js'
import type { ControlOperation } from '../../operation.js'

/** Where a control request is sent, and as whom. */
export interface ControlTarget {
  /** URL of the control API. */
  readonly controlUrl: string
  /** Unmasked; sent in the `Authorization` header only. */
  readonly apiKey: string
  /** Sent in the `Sandbox-Token` header only. */
  readonly token?: string | undefined
}

/** The parts of a control request that an operation does not determine. */
interface RequestParts {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Query parameters by name. Those that are undefined are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: unknown
}

/** Returns the parameters of `fetch` for a control operation. */
export function toControlRequest(
  { controlUrl, apiKey, token }: ControlTarget,
  { method, path }: Pick<ControlOperation, 'method' | 'path'>,
  { params = {}, query = {}, body }: RequestParts,
): { readonly url: string; readonly init: RequestInit } {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const hasBody = body !== undefined
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(token !== undefined && { [tokenHeader]: token }),
    ...(hasBody && { 'Content-Type': 'application/json' }),
  }
  return {
    url: `${controlUrl}${filled}${toSearch(query)}`,
    init: {
      method,
      headers,
      redirect: 'manual', // the key must not reach another server
      ...(hasBody && { body: JSON.stringify(body, writeBigInt) }),
    },
  }
}

/** Writes an int64 as its decimal digits, in which it is exact. */
function writeBigInt(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function toSearch(query: NonNullable<RequestParts['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
