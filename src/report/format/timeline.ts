import type { TimelineInterval } from '../report.js'

/** The kinds of responses in a bar from bottom to top, with the name of their colour. */
export const responseKinds = [
  { field: 'succeeded', name: 'succeeded', color: 'good' },
  { field: 'clientErrors', name: '4xx except 429', color: 'warn' },
  { field: 'rateLimited', name: '429', color: 'limited' },
  { field: 'serverErrors', name: '5xx', color: 'bad' },
  { field: 'broken', name: 'no response', color: 'soft' },
] as const satisfies readonly { field: keyof TimelineInterval; name: string; color: string }[]

/** Returns the number of responses in an interval. */
export function countResponses(interval: TimelineInterval): number {
  return responseKinds.reduce((sum, { field }) => sum + interval[field], 0)
}
