import bannedKey from '../../../scenarios/banned-key.json' with { type: 'json' }
import dailyQuotaSpent from '../../../scenarios/daily-quota-spent.json' with { type: 'json' }
import default_ from '../../../scenarios/default.json' with { type: 'json' }
import emptyStore from '../../../scenarios/empty-store.json' with { type: 'json' }
import flaky from '../../../scenarios/flaky.json' with { type: 'json' }
import gentleLimit from '../../../scenarios/gentle-limit.json' with { type: 'json' }
import int64Ids from '../../../scenarios/int64-ids.json' with { type: 'json' }
import largeCatalogue from '../../../scenarios/large-catalogue.json' with { type: 'json' }
import lowStock from '../../../scenarios/low-stock.json' with { type: 'json' }
import nearlyLimited from '../../../scenarios/nearly-limited.json' with { type: 'json' }
import rateLimited from '../../../scenarios/rate-limited.json' with { type: 'json' }
import realistic from '../../../scenarios/realistic.json' with { type: 'json' }
import slow from '../../../scenarios/slow.json' with { type: 'json' }
import sunsetPassed from '../../../scenarios/sunset-passed.json' with { type: 'json' }
import sunsetSoon from '../../../scenarios/sunset-soon.json' with { type: 'json' }
import type { Scenario } from './schema.js'

/** The built-in scenario files. They are valid, as `readValidScenario` requires. */
export const builtInScenarios = [
  default_,
  emptyStore,
  lowStock,
  largeCatalogue,
  int64Ids,
  nearlyLimited,
  rateLimited,
  gentleLimit,
  dailyQuotaSpent,
  bannedKey,
  sunsetSoon,
  sunsetPassed,
  flaky,
  slow,
  realistic,
] as readonly (Scenario & { readonly description: string })[] // a test checks it
