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
      scenario: { name: 'down', faults: [{ type: 'status', status: 503, times: 2 }] },
    },
    paths: ['/inventory'],
  },
}
