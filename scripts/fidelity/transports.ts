/** A way in which requests reach a sandbox, and the test file that runs all checks over it. */
export interface CheckedTransport {
  readonly name: string
  readonly file: string
}

const agreement = 'test/conformance/agreement.test.ts'

/** Every transport and store over which the tests run all checks. A test compares the files. */
export const checkedTransports: readonly CheckedTransport[] = [
  { name: '`sandbox.fetch`, in process', file: 'test/conformance/service/fetch.test.ts' },
  { name: 'HTTP and `fetch`', file: 'test/conformance/service/http.test.ts' },
  {
    name: '`createSandboxMiddleware` in Express',
    file: 'test/conformance/service/middleware.test.ts',
  },
  {
    name: '`@mswjs/http-middleware` in Express',
    file: 'test/conformance/service/http-middleware.test.ts',
  },
  { name: 'three replicas with Redis', file: 'test/redis/suite.test.ts' },
  { name: 'a service worker, in Chromium', file: 'test/browser/in-page/service.test.ts' },
  { name: '`fetch` of a page, in Chromium', file: 'test/browser/in-page/service.test.ts' },
  { name: 'msw and `fetch`, in process', file: agreement },
  { name: 'msw and axios, in process', file: agreement },
  { name: 'msw and `node:http`, in process', file: agreement },
  { name: 'HTTP and `node:http`', file: agreement },
  { name: 'a stored world', file: agreement },
  { name: 'three replicas with one store', file: agreement },
  { name: 'worlds in a directory', file: agreement },
]
