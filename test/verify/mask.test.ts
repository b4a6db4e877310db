import { expect, test } from 'vitest'
import { createMask } from '../../src/verify/mask.js'

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
