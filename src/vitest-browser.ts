// At run time, this is `petstore-sandbox/vitest` in a browser; its types are those of vitest.ts.

export { test } from './testing/browser-test.js'
export { journalSerializer } from './testing/journal-serializer.js'
export { reportRequests } from './testing/vitest.js'
export type * from './vitest.js'
