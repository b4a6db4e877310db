import { type Environment, environments } from '../../service/addresses.js'
import { checkFields, checkSecret } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'

/** The corner of the page with the collapsed panel. */
export type PanelPosition = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left'

/** The corners of the page. */
export const positions = [
  'bottom-right',
  'bottom-left',
  'top-right',
  'top-left',
] as const satisfies readonly PanelPosition[]

/** Options of a panel. */
export interface PanelOptions {
  /** Key whose world the panel shows. Default: `sbx_free`. */
  readonly apiKey?: string | undefined
  /** Deployment of the world. Default: `production`. */
  readonly environment?: Environment | undefined
  /** Corner of the page with the collapsed panel. Default: `bottom-right`. */
  readonly position?: PanelPosition | undefined
}

/** An open panel. */
export interface PanelHandle {
  /** Removes the panel from the page. The world is not affected. */
  close(): void
}

/**
 * Checks the options, and returns them with their defaults.
 *
 * @param owner Name of the function that the options belong to.
 * @param others Names of further options.
 * @throws {TypeError} If an option is unknown or invalid. The message contains no key.
 */
export function readPanelOptions(
  options: PanelOptions,
  owner: string,
  others: readonly string[] = [],
): { readonly [Name in keyof PanelOptions]-?: NonNullable<PanelOptions[Name]> } {
  checkFields(options, ['apiKey', 'environment', 'position', ...others], `the options of ${owner}`)
  const { apiKey = 'sbx_free', environment = 'production', position = 'bottom-right' } = options
  checkChoice('environment', environment, environments)
  checkChoice('position', position, positions)
  checkSecret('apiKey', apiKey)
  return { apiKey, environment, position }
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return
  throw new TypeError(`${name} must be one of ${choices.join(', ')}, found ${describeValue(value)}`)
}
