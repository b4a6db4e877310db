import type { ControlRoutes } from '../../../control/client/console/control-client.js'
import { type ControlOperationId, controlOperations } from '../../../control/operations.js'
import { type Environment, environments } from '../../../service/addresses.js'

/**
 * Returns where the operations of the control API are. The package contains only their methods and
 * paths for this purpose.
 *
 * @param toUrl Returns the URL of the control API of an environment, without a trailing slash.
 */
export function createRoutes(toUrl: (environment: Environment) => string): ControlRoutes {
  const ids = Object.keys(controlOperations) as ControlOperationId[] // the keys of the table
  return {
    operations: new Map(
      ids.map((id) => {
        const { method, path } = controlOperations[id]
        return [id, { method, path }]
      }),
    ),
    baseUrls: new Map(environments.map((name) => [name, toUrl(name)])),
  }
}
