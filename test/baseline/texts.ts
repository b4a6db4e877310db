import fc from 'fast-check'

const start = 'GET /v1/inventory HTTP/1.1'
const host = 'Host: localhost'
const key = 'Authorization: Bearer sbx_free'
const close = 'Connection: close'

function toText(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}

/**
 * Texts that clients of `node:http` do not send: malformed requests, and unusual valid ones. After
 * each, the server closes the connection.
 */
export const text: fc.Arbitrary<string> = fc.constantFrom(
  toText(start, host, key, close),
  toText(start, key, close),
  toText(start, host, host, key, close),
  toText(start, 'Host: shop.example', key, close),
  toText(start, 'Host: [::1]:80', key, close),
  toText(start, host, key, key, close),
  toText(start, host, key, 'Authorization: Bearer sbx_pro', close),
  toText(start, host, key, 'Prefer: code=404', 'Prefer: wait=1', close),
  toText(start, host, key, 'No-Colon', close),
  toText(start, host, key, ' Folded: a', close),
  toText(start, host, key, 'X\u0000: a', close),
  toText(start, host, key, 'Content-Length: 5', 'Transfer-Encoding: chunked', close),
  toText(start, host, key, 'Content-Length: -1', close),
  toText(start, host, key, 'Expect: 200-ok', close),
  toText(start, host, key, `X-Long: ${'y'.repeat(17_000)}`, close),
  toText(start, host, key, ...Array.from({ length: 120 }, (_, index) => `X-${index}: a`), close),
  toText('GET /v1/inventory HTTP/1.0', host, key),
  toText('GET /v1/inventory HTTP/2.0', host, key, close),
  toText('G E T /v1/inventory HTTP/1.1', host, key, close),
  toText('get /v1/inventory HTTP/1.1', host, key, close),
  toText('TRACE /v1/inventory HTTP/1.1', host, key, close),
  toText('CONNECT localhost:80 HTTP/1.1', host, close),
  toText('OPTIONS * HTTP/1.1', host, key, close),
  toText('GET http://localhost/v1/inventory HTTP/1.1', host, key, close),
  toText('GET inventory HTTP/1.1', host, key, close),
  toText(`GET /v1/${'x'.repeat(5_000)} HTTP/1.1`, host, key, close),
  toText('GET /v1/../sandbox HTTP/1.1', host, key, close),
  toText('GET /v1/inventory#top HTTP/1.1', host, key, close),
  toText(start, host, key) + toText('GET /v1/pets/1 HTTP/1.1', host, key, close),
  `${toText(
    'PATCH /v1/inventory/1 HTTP/1.1',
    host,
    key,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    close,
  )}5\r\n{"qua\r\na\r\nntity": 5}\r\n0\r\n\r\n`,
  `${toText(
    'POST /quickstart/messages HTTP/1.1',
    host,
    key,
    'Content-Type: application/json',
    'Expect: 100-continue',
    'Content-Length: 16',
    close,
  )}{"message":"Hi"}`,
)
