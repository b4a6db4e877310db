/** The situations in which each client is measured. */
export const situations = {
  limited: {
    title: 'one request, `rate-limited`',
    options: { scenario: 'rate-limited' },
    paths: ['/inventory'],
  },
  crowd: {
    title: 'three requests, `rate-limited`',
    options: { scenario: 'rate-limited' },
    paths: ['/inventory', '/pets/1', '/store/orders'],
  },
  down: {
    title: 'one request, two faults with 503',
    options: {
      scenario: { name: 'down', faults: [{ type: 'status', status: 503, atMost: 2 }] },
    },
    paths: ['/inventory'],
  },
}

const message = {
  method: 'POST',
  body: '{"message":"Hello, pets!"}',
}

/** Further situations, from which the conduct of each client is assessed. */
export const conductSituations = {
  ...situations,
  outage: {
    options: { scenario: { name: 'outage', faults: [{ type: 'status', status: 503 }] } },
    paths: ['/inventory'],
  },
  unauthorized: {
    options: { scenario: { name: 'unauthorized', faults: [{ type: 'status', status: 401 }] } },
    paths: ['/inventory'],
  },
  missing: { options: {}, paths: ['/pets/404'] },
  slow: {
    options: { scenario: { name: 'slow', faults: [{ type: 'delay', delayMs: 45_000 }] } },
    paths: ['/inventory'],
  },
  lost: {
    options: {
      scenario: { name: 'lost', faults: [{ type: 'reset', phase: 'after', atMost: 1 }] },
    },
    address: '/quickstart',
    paths: ['/messages'],
    init: message,
  },
}
