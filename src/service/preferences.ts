/** Maximum of the preference `delay`, of the delay of a fault, and of their sum, in seconds. */
export const longestDelaySeconds = 60

/**
 * The preferences of a `Prefer` header (RFC 7240) that the sandbox accepts. The values of a preference
 * without a schema are the documented statuses of each operation.
 */
export const preferences = {
  code: {
    description: 'The status of the response: one that the operation documents.',
    example: 'code=429',
  },
  delay: {
    description: 'The delay of the response, in seconds.',
    schema: { type: 'number', minimum: 0, maximum: longestDelaySeconds },
    example: 'delay=2',
  },
  wait: {
    description:
      'The longest time that the client waits, in seconds (RFC 7240, section 4.3). It never delays.',
    schema: { type: 'integer', minimum: 0 },
    example: 'wait=10',
  },
  handling: {
    description:
      'Whether preferences that the sandbox does not accept are ignored or rejected with 400 (RFC 7240, section 4.4).',
    schema: { type: 'string', enum: ['lenient', 'strict'] },
    example: 'handling=strict',
  },
} as const
