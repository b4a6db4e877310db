const pet = { petId: 1, name: 'Bella' }
const now = '2026-01-15T09:00:00Z'

/** Scenario files with a problem, by the name of the scenario. A value is the content as JSON. */
export const badScenarios: Readonly<Record<string, string | object>> = {
  // Not JSON, or not an object.
  empty: '',
  'unexpected-character': '{"name": "shop",\n "seed": oops}',
  'unexpected-bracket': '{"name": "shop",\n "pets": [1,]\n}',
  'trailing-comma': '{"name": "shop",\n "pets": [],\n}',
  'missing-comma': '{"name": "shop" "seed": 1}',
  'control-character': '{"name": "a\tb"}',
  'unexpected-end': '{"name": "shop",\n "pets": [',
  'single-quotes': "{'name': 'shop'}",
  array: [],
  'null-value': 'null',
  'deep-nesting': `{"name":"deep-nesting","pets":[{"petId":1,"name":"a","x":${'['.repeat(70)}${']'.repeat(70)}}]}`,
  prototype: '{"name":"prototype","__proto__":{"seed":1}}',
  // Fields.
  'no-name': { seed: 1 },
  'name-number': { name: 5 },
  'name-case': { name: 'Not Kebab' },
  'name-long': { name: 'x'.repeat(65) },
  'unknown-field': { name: 'unknown-field', colour: 'red' },
  'similar-field': { name: 'similar-field', fault: [] },
  seed: { name: 'seed', seed: 1.5 },
  draws: { name: 'draws', draws: -1 },
  description: { name: 'description', description: 5 },
  // Parents.
  'extends-number': { name: 'extends-number', extends: 5 },
  'extends-unknown': { name: 'extends-unknown', extends: ['low-stok'] },
  'extends-itself': { name: 'extends-itself', extends: 'extends-itself' },
  'extends-many': { name: 'extends-many', extends: Array(17).fill('default') },
  // Times.
  'clock-now': { name: 'clock-now', clock: { now: 'noon' } },
  'clock-year': { name: 'clock-year', clock: { now: '9000-01-01T00:00:00Z' } },
  'clock-frozen': { name: 'clock-frozen', clock: { frozen: 'yes' } },
  'sunset-months': { name: 'sunset-months', deprecation: { sunsetAt: 'P1M' } },
  'sunset-far': { name: 'sunset-far', deprecation: { sunsetAt: 'P36526D' } },
  'sunset-first': { name: 'sunset-first', deprecation: { deprecatedAt: 'P9D', sunsetAt: 'P8D' } },
  // Keys, plans and quota.
  'key-reserved': { name: 'key-reserved', apiKeys: [{ key: 'sbx_mine', plan: 'pro' }] },
  'key-space': { name: 'key-space', apiKeys: [{ key: 'with space', plan: 'pro' }] },
  'key-plan': { name: 'key-plan', apiKeys: [{ key: 'acme-key-1', plan: 'gold' }] },
  'key-twice': {
    name: 'key-twice',
    apiKeys: ['pro', 'free'].map((plan) => ({ key: 'acme-live-key-0001', plan })),
  },
  'plan-limit': { name: 'plan-limit', plans: { free: { requestsPerMinute: 0 } } },
  'plan-unknown': { name: 'plan-unknown', plans: { gold: {} } },
  'quota-unknown': { name: 'quota-unknown', quota: { gold: {} } },
  'quota-both': { name: 'quota-both', quota: { free: { minute: { used: 1, remaining: 1 } } } },
  'quota-reset': {
    name: 'quota-reset',
    clock: { now },
    quota: { free: { minute: { resetsAt: '2026-01-15T09:01:00.001Z' } } },
  },
  'ban-empty': { name: 'ban-empty', quota: { free: { ban: {} } } },
  'ban-since': {
    name: 'ban-since',
    clock: { now },
    quota: { pro: { ban: { until: '2026-02-01T00:00:00Z', since: '2026-01-20T00:00:00Z' } } },
  },
  // Records.
  'pets-object': { name: 'pets-object', pets: {} },
  'pet-name': { name: 'pet-name', pets: [pet, { petId: 2 }] },
  'pet-id': { name: 'pet-id', pets: [{ ...pet, petId: '01' }] },
  'pet-id-large': { name: 'pet-id-large', pets: [{ ...pet, petId: 2 ** 53 }] },
  'pet-id-twice': { name: 'pet-id-twice', pets: [pet, { ...pet, petId: '1' }] },
  'pet-quantity': { name: 'pet-quantity', pets: [{ ...pet, quantity: '5' }] },
  'pet-status': { name: 'pet-status', pets: [{ ...pet, status: 'lost' }] },
  'pets-many-problems': {
    name: 'pets-many-problems',
    pets: Array.from({ length: 60 }, (_, petId) => ({ petId })),
  },
  'order-twice': { name: 'order-twice', orders: [7, 7].map((id) => ({ id, petId: 1 })) },
  'message-time': { name: 'message-time', messages: [{ id: 'msg_1', message: 'hi' }] },
  'generate-many': { name: 'generate-many', generate: { pets: 20_001 } },
  'generate-orders': { name: 'generate-orders', generate: { orders: 1 } },
  'generate-ids': {
    name: 'generate-ids',
    pets: [{ ...pet, petId: '9223372036854775806' }],
    generate: { pets: 2 },
  },
  // Faults and rules.
  'fault-type': { name: 'fault-type', faults: [{ type: 'explode' }] },
  'fault-delay': { name: 'fault-delay', faults: [{ type: 'delay' }] },
  'fault-range': { name: 'fault-range', faults: [{ type: 'delay', delayMs: { min: 2, max: 1 } }] },
  'fault-rate': { name: 'fault-rate', faults: [{ type: 'reset', rate: 0 }] },
  'fault-share': { name: 'fault-share', faults: [{ type: 'truncate', share: 1 }] },
  'fault-status': { name: 'fault-status', faults: [{ type: 'status', status: 200 }] },
  'fault-operation': { name: 'fault-operation', faults: [{ type: 'reset', operation: 'getPets' }] },
  'fault-match': {
    name: 'fault-match',
    faults: [{ type: 'reset', operation: 'listOrders', match: { petId: 7 } }],
  },
  'fault-authorization': {
    name: 'fault-authorization',
    faults: [{ type: 'reset', match: { headers: { Authorization: 'Bearer secret' } } }],
  },
  'fault-sequence': {
    name: 'fault-sequence',
    faults: [{ sequence: [{ status: 503 }, 'skip'], atMost: 2 }],
  },
  'faults-many': { name: 'faults-many', faults: Array(101).fill({ type: 'reset' }) },
  'rules-quantity': { name: 'rules-quantity', rules: { quantity: { minimum: 5, maximum: 4 } } },
  'rules-fields': { name: 'rules-fields', rules: { additionalFields: true } },
}
