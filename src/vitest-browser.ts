// At run time, this is `petstore-sandbox/vitest` in a browser; vitest.ts has its types.

export { test } from './testing/browser-test.js'
export { journalSerializer } from './testing/journal-serializer.js'
export { reportRequests } from './testing/vitest.js'
export type * from './vitest.js'
