import type { ErrorCode } from '../contract/errors.js'
import type { OperationDetail } from '../openapi/source.js'
import { maximumEntries } from '../scenario/schema.js'
import type { ControlOperationId } from './operations.js'
import { overviewLinks } from './overview.js'

/** The error messages that read differently below the steering address. */
export const controlErrorMessages: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_json: 'the body must be JSON, found "{" (string)',
  missing_field: 'name is missing, wanted a string',
  invalid_parameter: 'verbose is not a field here, wanted none',
  payload_too_large: 'the body must be at most 8388608 bytes',
  route_not_found: 'GET /clocks is no control operation; GET the address itself',
  method_not_allowed: 'POST /clock is no control operation; the path has GET, HEAD, PATCH, OPTIONS',
}

const now = '2026-01-01T09:00:00.000Z'
const minuteReset = '2026-01-01T09:01:00.000Z'
const dayReset = '2026-01-02T09:00:00.000Z'

const clock = {
  now,
  frozen: false,
  nextEvent: { event: 'sunset', at: '2026-04-01T00:00:00.000Z' },
}

const minute = { limit: 60, used: 0, remaining: 60, rejected: 0, resetsAt: minuteReset }
const day = { limit: 1_000, used: 0, remaining: 1_000, rejected: 0, resetsAt: dayReset }
const quota = { plan: 'free', minute, day, ban: null }

const overview = {
  world: { environment: 'production', scenario: 'default', label: '' },
  scenario: 'default',
  apiKey: 'sbx_free…',
  clock,
  quota,
  deprecation: {
    deprecatedAt: '2025-12-02T00:00:00.000Z',
    sunsetAt: '2026-04-01T00:00:00.000Z',
    afterSunset: 'gone',
  },
  counts: { pets: 12, orders: 5, messages: 0, faults: 0, requests: 0 },
  links: overviewLinks,
}

const call = {
  id: 1,
  at: now,
  durationMs: 0.412,
  environment: 'production',
  operation: 'updateInventory',
  nearestOperation: null,
  apiKey: 'sbx_free…',
  request: {
    method: 'PATCH',
    path: '/inventory/7',
    query: null,
    headers: { authorization: 'Bearer sbx_free…', 'content-type': 'application/json' },
    body: '{"quantity":25}',
  },
  response: {
    status: 200,
    code: null,
    headers: {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': '1767258060',
    },
    body: '{"petId":7,"quantity":25,"status":"available"}',
  },
  explanation: [
    'key sbx_free… is on plan Free, world production/default',
    'minute window: 1st of 60, resets 2026-01-01T09:01:00Z',
    'updateInventory answers 200',
  ],
  changes: [{ type: 'quantity.set', petId: '7', from: 40, to: 25 }],
}

const nemo = {
  petId: 7,
  name: 'Nemo',
  status: 'available',
  category: 'fish',
  photoUrls: ['https://images.petstore.example/pets/7/1.jpg'],
  tags: ['ocellaris clownfish', 'saltwater'],
  quantity: 40,
}

const order = {
  id: 1005,
  petId: 7,
  quantity: 10,
  shipDate: '2026-02-09T08:00:00.000Z',
  status: 'placed',
  complete: false,
}

const noInteger = { invalid_field: 'quantity must be an integer, found "5" (string)' } as const

const noPetId = {
  invalid_parameter:
    'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)',
}
const noOrderId = {
  invalid_parameter: 'id must be an int64 in canonical decimal, such as 7, found "seven" (string)',
}
const fullWorld = (things: string) =>
  `a world of this sandbox holds at most ${maximumEntries} ${things}; remove some`

/**
 * What the documents say of each control operation beyond its row. The examples are answers of the
 * `default` scenario; a test holds them against it.
 */
export const controlOperationDetails: Readonly<Record<ControlOperationId, OperationDetail>> = {
  getOverview: {
    description:
      'Shows the world of the key: what names it, its scenario, clock, quota and how much there is of everything.',
    success: 'The world at a glance.',
    response: overview,
  },
  listScenarios: {
    description: 'Lists the scenarios that a key, or PUT /scenario, can name.',
    success: 'One entry per scenario.',
    response: [
      {
        name: 'low-stock',
        description:
          'The default store when it is nearly sold out: every pet is down to three or fewer, and several are at 0.',
        source: 'built-in',
      },
    ],
  },
  putScenario: {
    description:
      'Starts the world anew: data, clock, quota, bans, faults and journal. The body is the name of a scenario, a whole scenario, or an array of both, merged from left to right. One that does not fit is refused with every reason, and the world stays as it was. So is one that does not list the key under `apiKeys` where the running scenario does: the key would lose its world.',
    success: 'The world as it starts.',
    request: 'low-stock',
    response: { ...overview, scenario: 'low-stock' },
    errorMessages: {
      invalid_field:
        'the body must be the name of a scenario, an array of names, or a scenario object, found 7 (number)',
    },
  },
  resetWorld: {
    description:
      'Puts data, clock, quota, bans and faults back to how the running scenario starts, and forgets the calls.',
    success: 'The world as it starts.',
    response: overview,
  },
  getSnapshot: {
    description:
      'Writes the whole state of the world down as a scenario. A world that starts from it, by PUT /scenario or as a file, answers the same.',
    success: 'A scenario file.',
    response: {
      name: 'out-of-nemo',
      description: 'The state of a world of default at 2026-01-01T09:00:00.000Z.',
      clock: { now, frozen: true },
      pets: [{ ...nemo, quantity: 0 }],
      quota: { free: { minute: { used: 59, resetsAt: minuteReset } } },
    },
    errorMessages: {
      invalid_parameter:
        'name must be a name in kebab-case of at most 64 characters, found "Out of Nemo" (string)',
    },
  },
  getClock: {
    description:
      'Shows the time of the world, and the next moment at which time alone changes an answer.',
    success: 'The clock.',
    response: clock,
  },
  changeClock: {
    description:
      'Jumps to a moment, on by a duration, or to the next event, and stops the clock or lets it run. At most one of `now`, `advance` and `advanceTo`. Windows, `Retry-After`, bans, the sunset and timestamps follow.',
    success: 'The clock as it is now.',
    request: { advance: 'PT90S', frozen: true },
    response: { ...clock, now: '2026-01-01T09:01:30.000Z', frozen: true },
    errorMessages: { invalid_field: 'frozen must be true or false, found "yes" (string)' },
  },
  getQuota: {
    description:
      'Shows the minute window, the day window and the ban of this key. Looking opens no window.',
    success: 'The quota of the key.',
    response: quota,
  },
  changeQuota: {
    description:
      'Sets what the key has used or has left, so that a limit can be met at the next request. What is not given stays. A window takes either `used` or `remaining`; a ban either `until` or `seconds`, or null to lift it.',
    success: 'The quota of the key as it is now.',
    request: { minute: { remaining: 1 }, ban: null },
    response: { ...quota, minute: { ...minute, used: 59, remaining: 1 } },
    errorMessages: {
      invalid_field: 'minute.used must be a number of at least 0, found -1 (number)',
    },
  },
  listFaults: {
    description: 'Lists the faults in their order; `times` is what is left of it.',
    success: 'One entry per fault.',
    response: [],
  },
  replaceFaults: {
    description:
      'Puts these faults, at most 100, in the place of all others: error statuses, delays, and connections that break.',
    success: 'The faults as they are now.',
    request: [
      { type: 'status', status: 503, operation: 'getPet', times: 2 },
      { type: 'truncate', rate: 0.1 },
    ],
    response: [
      { type: 'status', status: 503, operation: 'getPet', times: 2 },
      { type: 'truncate', share: 0.5, rate: 0.1 },
    ],
    errorMessages: {
      missing_field: '[0].status is missing, wanted an integer',
      invalid_field:
        '[0].type must be "status" or "delay" or "reset" or "truncate", found "explode" (string)',
    },
  },
  clearFaults: {
    description: 'Removes all faults.',
    success: 'An empty list.',
    response: [],
  },
  listRequests: {
    description:
      'Lists the calls that reached the world, the newest first, each with what was sent and answered, why, and what it changed. Control calls are not among them. Parameters narrow the list down; a call has to fit all of them.',
    success: 'One entry per call.',
    response: [call],
    errorMessages: {
      invalid_parameter: 'status must be a status such as 429, found "teapot" (string)',
    },
  },
  clearRequests: {
    description: 'Forgets the calls. Ids go on; data, clock and quota stay as they are.',
    success: 'How many calls were forgotten.',
    response: { removed: 0 },
  },
  streamEvents: {
    description:
      'Sends an event `request` for each call as it is answered, with an entry as listRequests shows it in `data` and its id in `id`, until the client leaves. Lines that begin with a colon are comments. `EventSource` of browsers cannot send the key; read the stream with `fetch`.',
    success: 'A stream of server-sent events.',
    mediaType: 'text/event-stream',
    response: `: the calls that reach this world, as they are answered\n\nid: 1\nevent: request\ndata: ${JSON.stringify(call)}\n\n`,
  },
  listMessages: {
    description:
      'Lists the messages that sendMessage queued, which no operation of the service shows. A world keeps the newest 1,000.',
    success: 'One entry per message.',
    response: [
      {
        id: 'msg_4fQ2mT8xK1vZ7cR9bN3wL6pS',
        message: 'Hello, pets!',
        status: 'queued',
        createdAt: now,
      },
    ],
  },
  listPets: {
    description: 'Lists the pets, each with its record and its stock.',
    success: 'One entry per pet.',
    response: [nemo],
  },
  addPet: {
    description:
      'Adds a pet with its stock, at the end of every list. Further fields are served as given.',
    success: 'The pet that was added.',
    request: { petId: 77, name: 'Rex', category: 'dog', quantity: 3, weightKg: 31.5 },
    response: {
      petId: 77,
      name: 'Rex',
      status: 'available',
      category: 'dog',
      photoUrls: [],
      tags: [],
      quantity: 3,
      weightKg: 31.5,
    },
    errorMessages: { sandbox_capacity: fullWorld('pets'), ...noInteger },
  },
  changePet: {
    description:
      'Changes the fields that are given, its stock and status among them, without the checks of updateInventory. A pet keeps its id: a `petId` in the body has to be that of the path.',
    success: 'The pet as it is now.',
    request: { quantity: 0, status: 'sold' },
    response: { ...nemo, quantity: 0, status: 'sold' },
    errorMessages: { ...noPetId, ...noInteger },
  },
  removePet: {
    description: 'Removes a pet from the store and its inventory. Orders of it stay.',
    success: 'The pet that was removed.',
    response: nemo,
    errorMessages: noPetId,
  },
  listOrders: {
    description: 'Lists the store orders.',
    success: 'One entry per order.',
    response: [order],
  },
  addOrder: {
    description:
      'Adds a store order, at the end of every list. Further fields are served as given.',
    success: 'The order that was added.',
    request: { id: 2001, petId: 7, quantity: 2, shipDate: '2026-01-05T08:00:00.000Z' },
    response: {
      id: 2001,
      petId: 7,
      quantity: 2,
      shipDate: '2026-01-05T08:00:00.000Z',
      status: 'placed',
      complete: false,
    },
    errorMessages: {
      missing_field: 'petId is missing, wanted an int64 (past 2^53-1 as a string of digits)',
      resource_conflict: 'the order id 1001 is taken in this world; change it instead',
      sandbox_capacity: fullWorld('orders'),
    },
  },
  changeOrder: {
    description:
      'Changes the fields that are given. An order keeps its id: an `id` in the body has to be that of the path.',
    success: 'The order as it is now.',
    request: { status: 'delivered', complete: true },
    response: { ...order, status: 'delivered', complete: true },
    errorMessages: {
      ...noOrderId,
      invalid_field: 'status must be "placed" or "approved" or "delivered", found "lost" (string)',
    },
  },
  removeOrder: {
    description: 'Removes a store order.',
    success: 'The order that was removed.',
    response: order,
    errorMessages: noOrderId,
  },
  createKey: {
    description:
      'Makes a key of the form `sbx_<plan>_<scenario>_<label>` whose label nobody can guess. Its world is made with its first call.',
    success: 'The key, which is shown only here.',
    request: { plan: 'pro', scenario: 'low-stock' },
    response: { apiKey: 'sbx_pro_low-stock_5f0c9a4be1d84c7f9a3e6b2d8c1f7e40d2b6' },
    errorMessages: {
      invalid_field:
        'plan must be "free" or "pro" or "business" or "enterprise", found "gold" (string)',
      invalid_scenario:
        'scenario must be one of default, empty-store, low-stock, large-catalogue, int64-ids, nearly-limited, rate-limited, daily-quota-spent, banned-key, sunset-soon, sunset-passed, flaky, slow, found "low-stok" (string)',
    },
  },
}
