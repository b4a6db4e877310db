import { describe, expect, test } from 'vitest'
import { createMask, maskHeader, maskJson, maskKeys, maskQuery } from '../../src/service/mask.js'

test.each([
  ['no key', 'no key'],
  ['sbx_free', 'sbx_free…'],
  ['/inventory/sbx_pro_low-stock_label?', '/inventory/sbx_pro_low-…?'],
  ['a sbx_free_a+b_label, sbx_free_a+b_label', 'a sbx_free_a+b…, sbx_free_a+b…'],
  ['sbx_free_a%2Bb_label', 'sbx_free_a%2…'],
  ['sbx%5Ffree%5fa%5Flabel', 'sbx%5Ffree%…'],
  ['/pets/sbx_free_default_a.1798761600-0123abcd.', '/pets/sbx_free_def….'],
  ['the API key sbx_free_low… is unknown', 'the API key sbx_free_low… is unknown'],
  ['the API key sbx_free_default_label… is unknown', 'the API key sbx_free_def… is unknown'],
])('maskKeys masks each key in %j', (text, masked) => {
  expect(maskKeys(text)).toBe(masked)
})

test.each([
  ['', ''],
  ['page=2&limit=', 'page=2&limit='],
  [
    'api_key=1&Token=2&client-secret=a=b&X-Amz-Signature=4',
    'api_key=…&Token=…&client-secret=…&X-Amz-Signature=…',
  ],
  ['PASSWORD=1&sessionId=2&%74oken=3', 'PASSWORD=…&sessionId=…&%74oken=…'],
  [
    'idempotencyKey=1&Idempotency-Key=2&idempotency_key=3',
    'idempotencyKey=1&Idempotency-Key=2&idempotency_key=3',
  ],
  ['from=sbx_free_default_label&sbx_free_default_label', 'from=sbx_free_def…&sbx_free_def…'],
  ['%=1&%token=2', '%=1&%token=…'],
])('maskQuery masks the credentials in %j', (query, masked) => {
  expect(maskQuery(query)).toBe(masked)
})

test('maskQueryValues masks every value and no name', () => {
  expect(maskQuery('page=2&q=a=b&flag&sbx_free_default_label=1', true)).toBe(
    'page=…&q=…&flag&sbx_free_def…=…',
  )
})

test.each([
  ['x-api-key', 'abc', '…'],
  ['x-csrf-token', 'abc', '…'],
  ['x-hub-signature-256', 'sha256=abc', '…'],
  ['x-session-id', 'abc', '…'],
  ['proxy-authorization', 'Basic abc', '…'],
  ['set-cookie', 'session=abc', '…'],
  ['cookie', 'session=abc; theme=dark; abc', 'session=…; theme=…; …'],
  ['authorization', 'Bearer sk_live_abcdefgh', 'Bearer sk_live_…'],
  ['authorization', 'Basic abc', '…'],
  ['idempotency-key', 'order-7', 'order-7'],
  ['idempotency-key', 'sbx_free_default_label', 'sbx_free_def…'],
  ['user-agent', 'shop/1.0', 'shop/1.0'],
])('maskHeader masks the credentials in %s: %s', (name, value, masked) => {
  expect(maskHeader(name, value, undefined)).toBe(masked)
})

describe('maskJson', () => {
  test.each([
    ['{"quantity":5}', '{"quantity":5}'],
    ['{ "password" : "hunter2" , "quantity" : 5 }', '{ "password" : "…" , "quantity" : 5 }'],
    ['{"accessToken":"a\\"b","quantity":5}', '{"accessToken":"…","quantity":5}'],
    [
      '{"pin_secret":9223372036854775807,"id":9223372036854775807}',
      '{"pin_secret":"…","id":9223372036854775807}',
    ],
    ['{"session":{"id":"a}","n":[1,{"b":2}]},"c":3}', '{"session":"…","c":3}'],
    ['{"apiKeys":["a]","b"],"c":[4]}', '{"apiKeys":"…","c":[4]}'],
    ['[{"card":{"signature":null}},{"key":true}]', '[{"card":{"signature":"…"}},{"key":"…"}]'],
    ['{"pass\\u0077ord":"hunter2"}', '{"pass\\u0077ord":"…"}'],
    ['{"Idempotency-Key":"order-7"}', '{"Idempotency-Key":"order-7"}'],
    ['{"message":"the key is sbx_free_default_label"}', '{"message":"the key is sbx_free_def…"}'],
    ['{"message":"my password: 1"}', '{"message":"my password: 1"}'],
    ['{"password":"hunt', '{"password":"…"'],
    ['{"password":{"a":["hunt', '{"password":"…"'],
    ['{"password":', '{"password":"…"'],
    ['{"password', '{"password'],
    ['{"key":}', '{"key":"…"}'],
    ['not JSON, but "token": x, y', 'not JSON, but "token": "…", y'],
    ['"\\', '"\\'],
  ])('masks the credentials in %s', (text, masked) => {
    expect(maskJson(text)).toBe(masked)
  })

  const hostileParts = [
    ['quotes', '"'],
    ['names', '"key":'],
    ['escaped quotes', '"key":"\\"'],
    ['brackets', '"key":{['],
    ['closing brackets', '"key":}]'],
    ['spaces', '"key"     '],
    ['strings', '"key""'],
    ['keys', 'sbx_'],
    ['words', 'keykey'],
  ] as const

  test.each(hostileParts)('masks 1 MiB of %s, which takes minutes in quadratic time', (_, part) => {
    const text = part.repeat(1_048_576).slice(0, 1_048_576)
    expect(maskJson(text).length).toBeLessThanOrEqual(2 * text.length)
  })
})

const secret = 'sbx_pro_default_very-secret'

test.each([
  ['as it is', secret, `{"a":"Bearer ${secret}"}`, '{"a":"Bearer sbx_pro_defa…"}'],
  ['in JSON', 'quote"and\\slash', '{"a":"quote\\"and\\\\slash"}', '{"a":"quote"a…"}'],
  ['in a URL', 'slash/and+plus', '/?key=slash%2Fand%2Bplus', '/?key=slash/a…'],
  ['with $&', 'dollar$&dollar', 'dollar$&dollar', 'dollar$…'],
])('masks a key %s', (_title, key, text, expected) => {
  expect(createMask([key])(text)).toBe(expected)
})

test('masks each of several keys', () => {
  expect(createMask(['first-key', 'second-key'])('first-key second-key')).toBe('firs… secon…')
})

test.each([
  ['a shared key of a sandbox', 'sbx_free'],
  ['a key of less than 8 characters', 'sold'],
  ['an empty key', ''],
])('does not change text because of %s', (_title, key) => {
  const text = '{"status":"sold","key":"sbx_free"}'
  expect(createMask([key])(text)).toBe(text)
})
