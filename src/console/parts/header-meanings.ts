import { headerDetails } from '../../service/headers.js'
import type { HeaderMeanings } from './header-list.js'

/** The meanings of the documented headers of the service. */
export const headerMeanings: HeaderMeanings = new Map(
  Object.entries(headerDetails).map(([name, { meaning }]) => [name.toLowerCase(), meaning]),
)
