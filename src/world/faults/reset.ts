import { defineFault, describePhase, phaseSchema } from './kind.js'

/** Resets the connection without a response. */
export const reset = defineFault({
  title: 'Connection reset',
  description:
    'Resets the connection before any response; the operation does not run, unless the phase is after.',
  fields: { phase: phaseSchema },
  example: {},
  summarize: ({ phase }) => `resets the connection${describePhase(phase)}`,
  respond: () => 'reset',
})
