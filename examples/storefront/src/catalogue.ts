/** Names by petId. */
type Catalogue = Readonly<Record<string, string>>

const whiskersAndFins: Catalogue = {
  '1': 'Bella',
  '2': 'Milo',
  '3': 'Luna',
  '4': 'Rocky',
  '5': 'Coco',
  '6': 'Kiwi',
  '7': 'Nemo',
  '8': 'Shelly',
  '9': 'Peanut',
  '10': 'Daisy',
  '11': 'Rio',
  '12': 'Bubbles',
}

/**
 * The shop's own data: the catalogue of the store that each scenario contains. The inventory of the
 * service has no names, and the only operation that returns one is deprecated and would cost a
 * request per pet. The header offers these scenarios. `large-catalogue` is not among them, because
 * the page has no paging.
 */
const catalogues: Readonly<Record<string, Catalogue>> = {
  default: whiskersAndFins,
  'empty-store': whiskersAndFins,
  'low-stock': whiskersAndFins,
  'int64-ids': {
    '1': 'Atlas',
    '9007199254740991': 'Edge',
    '9007199254740992': 'Tipping',
    '9007199254740993': 'Point',
    '9223372036854775806': 'Almost',
    '9223372036854775807': 'Max',
  },
  'nearly-limited': whiskersAndFins,
  'rate-limited': whiskersAndFins,
  'gentle-limit': whiskersAndFins,
  'daily-quota-spent': whiskersAndFins,
  'banned-key': whiskersAndFins,
  'sunset-soon': whiskersAndFins,
  'sunset-passed': whiskersAndFins,
  flaky: whiskersAndFins,
  slow: whiskersAndFins,
  realistic: whiskersAndFins,
}

/** Scenarios that the header of the page offers. */
export const scenarios: readonly string[] = Object.keys(catalogues)

/**
 * Returns the name of a pet, or `Pet 77` for a pet that the catalogue does not have.
 *
 * @param scenario Name of a scenario, or several joined with `+`.
 */
export function findName(scenario: string, petId: string): string {
  const [catalogue, ...others] = new Set(scenario.split('+').map((name) => catalogues[name]))
  return (others.length === 0 && catalogue?.[petId]) || `Pet ${petId}`
}
