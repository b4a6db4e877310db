import type { z } from 'zod'
import type { overviewSchema } from '../../../control/overview.js'
import type { Paint } from '../../colour.js'
import { toClockPairs } from './clock.js'
import { toPairs } from './columns.js'
import { toCount } from './count.js'
import { toQuotaPairs } from './quota.js'

export type Overview = z.output<typeof overviewSchema>

/** All about a world at a glance. */
export function toOverviewText(overview: Overview, paint: Paint): string {
  const { world, scenario, apiKey, clock, quota, counts } = overview
  const name = [world.environment, world.scenario, world.label].filter((part) => part !== '')
  const holds = Object.entries(counts).map(([things, count]) => toCount(count, things))
  return toPairs(
    [
      ['World', name.join('/')],
      ['Key', apiKey],
      ['Scenario', scenario],
      ...toClockPairs(clock),
      ...toQuotaPairs(quota),
      ['Holds', holds.join(', ')],
    ],
    paint,
  )
}
