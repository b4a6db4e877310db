import { defineFault } from './kind.js'

/** Resets the connection before any response. */
export const reset = defineFault({
  title: 'Connection reset',
  description: 'Resets the connection before any response; the operation does not run.',
  fields: () => ({}),
  example: {},
  summarize: () => 'resets the connection',
  respond: () => 'reset',
})
