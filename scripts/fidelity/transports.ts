/** A way in which requests reach a sandbox, and the test file that runs all checks over it. */
export interface CheckedTransport {
  readonly name: string
  readonly file: string
}

/** Every transport and store over which the tests run all checks. A test compares the files. */
export const checkedTransports: readonly CheckedTransport[] = [
  { name: '`sandbox.fetch`, in process', file: 'test/suite/fetch.test.ts' },
  { name: 'msw and `fetch`, in process', file: 'test/suite/msw.test.ts' },
  { name: 'HTTP', file: 'test/suite/http.test.ts' },
  { name: 'a service worker, in Chromium', file: 'test/browser/in-page/service.test.ts' },
  { name: 'a stored world', file: 'test/store/suite.test.ts' },
  { name: 'three replicas with one store', file: 'test/store/suite.test.ts' },
  { name: 'worlds in a directory', file: 'test/store/suite.test.ts' },
  { name: 'three replicas with Redis', file: 'test/redis/suite.test.ts' },
]
