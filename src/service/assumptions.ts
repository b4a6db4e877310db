/** A decision about something that the specification does not state. */
export interface Assumption {
  /** The detail that the specification does not state. */
  readonly open: string
  /** The behaviour of the sandbox. */
  readonly chosen: string
  /** JSON path of the scenario field that changes the behaviour. Absent if none does. */
  readonly change?: string
}

/** Every assumption of the sandbox. The reference lists each, and each has a test. */
export const assumptions = {
  A01: {
    open: 'the values of `code`',
    chosen: 'the error catalogue: one snake_case code for each reason, listed with its status',
  },
  A02: {
    open: 'bounds on `quantity`',
    chosen: 'an integer from 0 to 2^53-1',
    change: 'rules.quantity',
  },
  A03: {
    open: 'the pet record',
    chosen:
      'petId, name, status, category, photoUrls, tags; additional fields are served unchanged',
    change: 'pets[]',
  },
  A04: {
    open: 'the store-order record',
    chosen:
      'id, petId, quantity, shipDate, status (placed, approved, delivered), complete; additional fields are served unchanged',
    change: 'orders[]',
  },
  A05: {
    open: 'the deprecation and sunset dates of GET /pets/{petId}',
    chosen:
      'deprecated 30 days before and sunset 90 days after the start of the world, at midnight UTC',
    change: 'deprecation',
  },
  A06: {
    open: 'the kind and start of the rate-limit windows',
    chosen:
      'two fixed windows, a minute and a day; each starts with the first request of the key after the previous one ended',
  },
  A07: {
    open: 'which window the X-RateLimit headers describe',
    chosen:
      'the one that rejected the request, otherwise the one with the fewest requests left; during a ban, no requests are left until the ban ends',
  },
  A08: {
    open: 'when a key is banned, and for how long',
    chosen:
      'at the 10th rejected request in one window, for 300 seconds; that request already receives api_key_banned',
    change: 'rules.ban',
  },
  A09: {
    open: 'the quota of Enterprise',
    chosen: '5,000 requests a minute and 500,000 a day',
    change: 'plans.enterprise',
  },
  A10: {
    open: 'the HTTP status of the response of sendMessage',
    chosen: '200',
    change: 'rules.messageStatus',
  },
  A11: {
    open: 'additional fields in a body',
    chosen: 'updateInventory rejects them (it takes only `quantity`); sendMessage ignores them',
    change: 'rules.additionalFields',
  },
  A12: {
    open: 'the size of a body',
    chosen: 'at most 64 KiB; a larger one is 413 payload_too_large',
  },
  A13: {
    open: 'the data of the staging environment',
    chosen: 'a separate world for the same key',
  },
  A14: {
    open: 'the response to an unsupported Content-Type or Content-Encoding',
    chosen:
      '400 unsupported_media_type; parameters such as charset=utf-8 are allowed; a Content-Encoding other than identity is 415 unsupported_content_encoding',
  },
  A15: {
    open: 'the response to a petId that is not an int64',
    chosen: '400 invalid_parameter; an id is in canonical decimal, from -2^63 to 2^63-1',
  },
  A16: {
    open: 'HEAD, a trailing slash, the case of paths',
    chosen: 'HEAD is GET without the body; paths must match exactly, otherwise 404',
  },
  A17: {
    open: 'the rate-limit headers without a valid key',
    chosen: 'the minute limit of Free; nothing is charged',
  },
  A18: {
    open: 'the response to an unknown path or method',
    chosen:
      '404 route_not_found; 405 method_not_allowed with Allow; nothing is charged and no key is needed',
  },
  A19: {
    open: 'order and paging of lists',
    chosen: 'all entries, in the order of the scenario',
  },
  A20: {
    open: 'the form of a message id',
    chosen: '`msg_` and 24 letters and digits, reproducible from the seed',
  },
  A21: {
    open: 'the response of a deprecated operation after its sunset',
    chosen: '410 operation_gone',
    change: 'deprecation.afterSunset',
  },
  A22: {
    open: 'the case of `Bearer` and additional spaces',
    chosen: 'exactly as in the specification: `Bearer`, one space, the key',
  },
  A23: {
    open: 'how long queued messages are retained',
    chosen:
      'a world retains the newest 1,000 messages, and at most 4 MiB of them; no operation of the service returns them',
  },
  A24: {
    open: 'the next request shape of updateInventory, which is experimental',
    chosen:
      'none, unless a scenario enables one: `{ "stock": { "quantity": 25 } }` in place of `{ "quantity": 25 }`, which is then rejected with 400',
    change: 'rules.inventoryUpdate',
  },
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions
