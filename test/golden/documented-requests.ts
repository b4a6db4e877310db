import { HttpResponse, http } from 'msw'
import type { SandboxServerOptions } from 'petstore-sandbox/server'
import type { RequestRow } from '../support/http-client.js'

const key = 'sbx_free'
const labelled = 'sbx_free_default_documented'
const secret = 'a secret of the operator'
const token = 'token-of-the-operator'
const forwarded = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'shop.example:8443',
  'X-Forwarded-Prefix': '/petstore/',
}
const json = { 'Content-Type': 'application/json' }
const trusting = { limits: { trustedProxies: 1 }, allowedHosts: ['.shop.example'] }

/** Exchanges by what they show, each with the options of its server. */
export const groups: Readonly<Record<string, [SandboxServerOptions, readonly RequestRow[]]>> = {
  'paths besides the service': [
    {},
    [
      ['GET /healthz'],
      ['HEAD /healthz'],
      ['POST /healthz'],
      ['GET /readyz'],
      ['OPTIONS /readyz'],
      ['POST /openapi.json'],
      ['POST /'],
      ['GET /robots.txt'],
      ['GET /nothing'],
      ['GET /v1'],
      ['GET /v1/'],
      ['GET /V1/inventory', { key }],
      ['GET /staging'],
      ['GET /sandbox/', { key }],
      ['GET /sandbox/nothing', { key }],
      ['DELETE /sandbox/clock', { key }],
      ['GET /quickstart/messages', { key }],
      ['GET /v1/messages', { key }],
    ],
  ],
  'other origins': [
    {},
    [
      [
        'OPTIONS /v1/inventory/1',
        {
          headers: {
            Origin: 'https://shop.example',
            'Access-Control-Request-Method': 'PATCH',
            'Access-Control-Request-Headers': 'authorization, content-type',
          },
        },
      ],
      ['OPTIONS /v1/nothing'],
      ['GET /v1/inventory', { key, headers: { Origin: 'https://shop.example' } }],
      ['OPTIONS /sandbox/clock', { headers: { Origin: 'https://shop.example' } }],
      ['GET /sandbox/clock', { key, headers: { Origin: 'https://shop.example' } }],
      [
        'PATCH /sandbox/clock',
        { key, headers: { Origin: 'https://shop.example' }, json: { frozen: true } },
      ],
      ['POST /sandbox/reset', { key, headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ],
  ],
  'the Link header has the public URL': [
    { publicUrl: 'https://public.example/petstore' },
    [['GET /v1/pets/1', { key }]],
  ],
  'reverse proxies': [
    trusting,
    [
      ['GET /v1/pets/1', { key, headers: forwarded }],
      ['GET /v1/pets/1', { key, headers: { ...forwarded, 'X-Forwarded-Host': 'evil.example' } }],
      ['GET /v1/pets/1', { key, headers: { ...forwarded, 'X-Forwarded-Proto': 'gopher' } }],
      ['GET /openapi.json', { headers: { ...forwarded, 'X-Forwarded-Prefix': 'petstore' } }],
    ],
  ],
  'without a trusted proxy': [{}, [['GET /v1/pets/1', { key, headers: forwarded }]]],
  'sizes of requests': [
    {},
    [
      [`GET /v1/inventory?${'x'.repeat(4_096)}`, { key }],
      ['GET /v1/inventory', { key, headers: { 'X-Long': 'x'.repeat(16_384) } }],
      ['POST /quickstart/messages', { key, json: { message: 'x'.repeat(65_536) } }],
      ['POST /nothing', { body: 'x'.repeat(100) }],
      ['PUT /sandbox/faults', { key, headers: json, body: '['.repeat(65) + ']'.repeat(65) }],
      [
        'POST /sandbox/pets',
        { key, json: { petId: 100, name: 'x', values: Array(20_000).fill(1) } },
      ],
      ['POST /sandbox/pets', { key, json: { petId: 100, name: 'x'.repeat(1_048_577) } }],
      ['PATCH /sandbox/clock', { key, json: toFields(10_001) }],
      ['PUT /sandbox/faults', { key, headers: json, body: `[${'1,'.repeat(500_000)}1]` }],
    ],
  ],
  'capacity: new worlds of a client': [
    { limits: { clientWorlds: 1 } },
    [
      ['GET /v1/inventory', { key: labelled }],
      ['GET /v1/inventory', { key: `${labelled}-2` }],
    ],
  ],
  'capacity: control requests of a client': [
    { limits: { clientControlRequests: 1 } },
    [
      ['GET /sandbox/clock', { key }],
      ['GET /sandbox/clock', { key }],
    ],
  ],
  'public sandbox': [
    { access: { keySecrets: [secret], keyIssuing: token } },
    [
      ['GET /v1/inventory', { key }],
      ['GET /v1/inventory', { key: labelled }],
      ['GET /v1/inventory', { key: `${labelled}-0123456789abcdef0123456789abcdef` }],
      ['GET /sandbox/clock', { key }],
      ['PATCH /sandbox/clock', { key, json: { frozen: true } }],
      ['POST /quickstart/messages', { key, json: { message: 'private' } }],
      ['GET /sandbox/messages', { key }],
      ['GET /sandbox/requests', { key }],
      ['POST /sandbox/keys', { key }],
      ['POST /sandbox/keys', { key, headers: { 'Sandbox-Token': 'another-token-of-somebody' } }],
    ],
  ],
  'keys are not issued': [
    { access: { keySecrets: [secret], keyIssuing: 'off' } },
    [['POST /sandbox/keys', { key }]],
  ],
  'control is off': [
    { access: { control: 'off' } },
    [
      ['GET /sandbox', { key }],
      ['GET /sandbox/events', { key }],
      ['POST /sandbox/keys', { key }],
    ],
  ],
  'control requires a token': [
    { access: { control: token } },
    [
      ['GET /sandbox/clock', { key }],
      ['GET /sandbox/clock', { key, headers: { 'Sandbox-Token': 'wrong-token-of-somebody' } }],
      ['GET /sandbox/clock', { key, headers: { 'Sandbox-Token': token } }],
    ],
  ],
  'keys of a scenario': [
    { scenario: { name: 'listed', apiKeys: [{ key: 'acme-live-key-0001', plan: 'business' }] } },
    [
      ['GET /v1/inventory', { key: 'acme-live-key-0001' }],
      ['GET /sandbox', { key: 'acme-live-key-0001' }],
      [
        'PUT /sandbox/scenario',
        {
          key: labelled,
          json: { name: 'taken', apiKeys: [{ key: 'acme-live-key-0001', plan: 'pro' }] },
        },
      ],
      ['PUT /sandbox/scenario', { key: 'acme-live-key-0001', json: 'empty-store' }],
      ['GET /v1/inventory', { key: 'acme-live-key-0001' }],
      ['POST /sandbox/reset', { key }],
      ['GET /v1/inventory', { key: 'acme-live-key-0001' }],
    ],
  ],
  'handlers of the user': [
    { handlers: [createHandler('/v1/extra'), createHandler('/v1/inventory/1')] },
    [
      ['GET /v1/extra', { key: labelled }],
      ['GET /v1/inventory/1', { key: labelled }],
      ['GET /v1/inventory', { key: labelled }],
      ['GET /sandbox/requests', { key: labelled }],
    ],
  ],
  'preferences and the journal of a shared world': [
    { journalHeaders: ['X-Trace'] },
    [
      ['GET /v1/inventory', { key, headers: { Prefer: 'wait=0.5, respond-async' } }],
      ['GET /v1/inventory?q=1', { key, headers: { 'X-Trace': 't-1', 'X-Other': 'no' } }],
      ['GET /sandbox/requests?limit=1', { key }],
    ],
  ],
}

/** Requests that a client library does not send. `\n` stands for CR LF. */
export const rawRequests = [
  'GET //inventory HTTP/1.1\nHost: localhost\n\n',
  'GET http://localhost/v1/inventory HTTP/1.1\nHost: localhost\nAuthorization: Bearer sbx_pro\n\n',
  'TRACE /v1/inventory HTTP/1.1\nHost: localhost\n\n',
  'CONNECT localhost:80 HTTP/1.1\nHost: localhost\n\n',
  'BREW /v1/inventory HTTP/1.1\nHost: localhost\n\n',
  'GET /v1/inventory HTTP/1.1\n\n',
  'GET /v1/inventory HTTP/1.0\nAuthorization: Bearer sbx_pro\n\n',
  'GET /v1/inventory HTTP/2.0\nHost: localhost\n\n',
  'GET /v1/inventory HTTP/1.1\nHost: localhost\nHost: other\n\n',
  'GET /v1/inventory HTTP/1.1\nHost: localhost\nno colon\n\n',
  'GET /v1/inven tory HTTP/1.1\nHost: localhost\n\n',
  'GET /v1/inventory?a=é HTTP/1.1\nHost: localhost\nAuthorization: Bearer sbx_pro\n\n',
  'POST /quickstart/messages HTTP/1.1\nHost: localhost\nContent-Length: 1\nContent-Length: 2\n\n',
  'POST /quickstart/messages HTTP/1.1\nHost: localhost\nContent-Length: 1\nTransfer-Encoding: chunked\n\n',
  'POST /quickstart/messages HTTP/1.1\nHost: localhost\nTransfer-Encoding: gzip\n\n',
  'POST /quickstart/messages HTTP/1.1\nHost: localhost\nExpect: 200-ok\nContent-Length: 2\n\n{}',
  'GET /v1/inventory HTTP/1.1\nHost: localhost\nAuthorization: Bearer sbx_pro\nAuthorization: Bearer sbx_free\n\n',
  'nonsense\n\n',
  `GET /v1/inventory HTTP/1.1\nHost: localhost\n${'X-Line: 1\n'.repeat(100)}\n`,
  'PUT /sandbox/faults HTTP/1.1\nHost: localhost\nContent-Length: 8388609\n\n',
]

/** Requests to a server that accepts `.shop.example` and its public URL besides this machine. */
export const hosts = [
  'evil.example',
  'evil.example:4010',
  'shop.example',
  'a.shop.example:1',
  'evilshop.example',
  'public.example',
  'x.localhost',
  'LOCALHOST',
  '[::1]:4010',
  '192.0.2.1',
  'local host',
]

function createHandler(path: string) {
  return http.get(`*${path}`, () => HttpResponse.json({ from: 'the handler' }, { status: 203 }))
}

function toFields(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`field-${at}`, at]))
}
