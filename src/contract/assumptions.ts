/** A choice that fills what the specification leaves open. */
export interface Assumption {
  /** What the specification does not show. */
  readonly open: string
  /** What the sandbox does. */
  readonly chosen: string
  /** Where a scenario changes it, as a JSON path, where that makes sense. */
  readonly change?: string
}

/** Every assumption of the sandbox; each is shown in the reference and has a test. */
export const assumptions = {
  A01: {
    open: 'the values of `code`',
    chosen: 'the error catalogue: one snake_case word for each reason, listed with its status',
  },
  A02: {
    open: 'bounds on `quantity`',
    chosen: 'an integer from 0 to 2^53-1',
    change: 'rules.quantity',
  },
  A03: {
    open: 'the pet record',
    chosen: 'petId, name, status, category, photoUrls, tags; further fields are served as given',
    change: 'pets[]',
  },
  A04: {
    open: 'the store-order record',
    chosen:
      'id, petId, quantity, shipDate, status (placed, approved, delivered), complete; further fields are served as given',
    change: 'orders[]',
  },
  A05: {
    open: 'the deprecation and sunset dates of GET /pets/{petId}',
    chosen:
      'deprecated 30 days before and sunset 90 days after the start of the world, at midnight UTC',
    change: 'deprecation',
  },
  A06: {
    open: 'how the windows run',
    chosen: 'two fixed windows, minute and day, each from the first request of the key in it',
  },
  A07: {
    open: 'which window the X-RateLimit headers describe',
    chosen: 'the one that rejected the request, else the one with the fewest requests left',
  },
  A08: {
    open: 'when a key is banned, and for how long',
    chosen:
      'at the 10th rejected request in one window, for 300 seconds; that request is answered api_key_banned already',
    change: 'rules.ban',
  },
  A09: {
    open: 'the quota of Enterprise',
    chosen: '5,000 requests a minute and 500,000 a day',
    change: 'plans.enterprise',
  },
  A10: {
    open: 'the status of a sent message’s response',
    chosen: '200',
    change: 'rules.messageStatus',
  },
  A11: {
    open: 'other fields in a body',
    chosen: 'updateInventory rejects them (it takes only `quantity`); sendMessage ignores them',
    change: 'rules.additionalFields',
  },
  A12: { open: 'the size of a body', chosen: 'at most 64 KiB; more is 413 payload_too_large' },
  A13: {
    open: 'the data of the staging environment',
    chosen: 'a world of its own under the same key',
  },
  A14: {
    open: 'the answer to another Content-Type',
    chosen: '400 unsupported_media_type; parameters such as charset=utf-8 are allowed',
  },
  A15: {
    open: 'the answer to a petId that is no int64',
    chosen: '400 invalid_parameter; an id is written in canonical decimal, from -2^63 to 2^63-1',
  },
  A16: {
    open: 'HEAD, a trailing slash, the letter case of paths',
    chosen: 'HEAD is GET without the body; paths are matched exactly as written, else 404',
  },
  A17: {
    open: 'the quota headers without a valid key',
    chosen: 'the minute limit of Free, nothing charged',
  },
  A18: {
    open: 'the answer to an unknown path or method',
    chosen:
      '404 route_not_found; 405 method_not_allowed with Allow; nothing charged, no key needed',
  },
  A19: {
    open: 'order and paging of lists',
    chosen: 'all entries, in the order of the scenario',
  },
  A20: {
    open: 'the form of a message id',
    chosen: '`msg_` and 24 letters and digits, repeatable from the seed',
  },
  A21: {
    open: 'what a deprecated operation answers after its sunset',
    chosen: '410 operation_gone',
    change: 'deprecation.afterSunset',
  },
  A22: {
    open: 'the letter case of `Bearer` and further spaces',
    chosen: 'exactly as written in the specification: `Bearer`, one space, the key',
  },
  A23: {
    open: 'how long queued messages are kept',
    chosen: 'a world keeps its newest 1,000 messages; no operation of the service reads them',
  },
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions
