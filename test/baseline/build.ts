import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { createSandbox } from 'petstore-sandbox'
import type { createSandboxServer } from 'petstore-sandbox/server'

/** The entry points of a build of the package that a comparison uses. */
export interface Build {
  readonly createSandbox: typeof createSandbox
  readonly createSandboxServer: typeof createSandboxServer
}

/** Loads the build that `petstore-sandbox` resolves to in a folder: of the package or a project. */
export function loadBuild(folder: string): Build {
  // Unlike an import, which Vitest transforms, `require` loads the files as they are.
  const require = createRequire(join(folder, 'package.json'))
  return { ...require('petstore-sandbox'), ...require('petstore-sandbox/server') }
}
