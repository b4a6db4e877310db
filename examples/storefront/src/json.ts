/**
 * Parses JSON, with every `petId` as a string of decimal digits. An int64 may exceed 2^53, above
 * which a number is not exact: `JSON.parse` rounds 9223372036854775807 to 9223372036854775808.
 * Browsers pass the digits to the reviver since Chrome 114, Safari 18.4 and Firefox 135.
 */
export function parseJson<Value>(text: string): Value {
  return JSON.parse(text, (name, value: unknown, context?: { readonly source?: string }) =>
    name === 'petId' && typeof value === 'number' ? (context?.source ?? String(value)) : value,
  )
}
