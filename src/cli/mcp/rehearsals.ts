/** The call of a tool that puts the client to the test, by the id of the rule. */
export const rehearsals: ReadonlyMap<string, string> = new Map([
  // Two, because the first retry may use another connection: whether it had the response is then unknown.
  [
    'retry-after',
    'set_faults {"faults":[{"type":"status","status":429,"retryAfterSeconds":2,"atMost":2}]}',
  ],
  ['back-off', 'set_faults {"faults":[{"type":"status","status":503,"atMost":4}]}'],
  ['stop-on-401', 'set_faults {"faults":[{"type":"status","status":401,"atMost":1}]}'],
  [
    'message-once',
    'set_faults {"faults":[{"type":"reset","phase":"after","operation":"sendMessage","atMost":1}]}',
  ],
  ['int64-exact', 'use_scenario {"scenario":"int64-ids"}'],
  ['no-ban', 'set_quota {"minute":{"remaining":0}}'],
  ['no-repeat', 'set_faults {"faults":[{"type":"status","status":404,"atMost":1}]}'],
])
