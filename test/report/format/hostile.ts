/** Strings from clients that a format must not pass on as they are, by their purpose. */
export const hostileStrings = {
  element: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  attribute: `" onclick="alert(1)' onclick='alert(1)`,
  entity: '&lt;&#60;&quot;]]><!--',
  terminal: '\u001b[31m\u009b31m\u0007\r\n\t\b',
  direction: '\u202e\u2066\u200f\u2028\u2029',
  forbidden: '\u0000\u000b\ufffe\uffff\ud800\udc00\udbff',
  long: 'x'.repeat(10_240),
} as const

export const hostileEntries = Object.entries(hostileStrings)

/** Returns markup without text and without the values of attributes. */
export function toSkeleton(source: string): string {
  return source.replace(/="[^"]*"/g, '=""').replace(/>[^<]*(?=<)/g, '>')
}

/** Matches control characters, format characters and lone surrogates, except line breaks. */
export const control = /[^\P{C}\n]|[\u2028\u2029\ufffe\uffff]/u
