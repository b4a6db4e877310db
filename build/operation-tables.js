import { join } from 'node:path'
import { runnerImport } from 'vite'

/** The modules with the tables of operations, and the names of a table and of its list of ids. */
const modules = [
  ['src/service/operations/operations.ts', 'operations', 'operationIds'],
  ['src/control/operations.ts', 'controlOperations', 'controlOperationIds'],
]

/**
 * Returns a plugin that replaces the modules of all operations by tables of their methods and paths,
 * for clients of a sandbox: the whole definitions contain their behaviour and their schemas, and need
 * zod. The tables are derived from the definitions, which this function executes.
 */
export async function reduceOperationTables() {
  const replacements = new Map()
  for (const [file, name, idsName] of modules) {
    const path = join(import.meta.dirname, '..', file)
    const { module } = await runnerImport(path)
    const entries = Object.entries(module[name]).map(([id, { method, path }]) => [
      id,
      { method, path },
    ])
    const table = JSON.stringify(Object.fromEntries(entries))
    const code = `export const ${name} = ${table}\nexport const ${idsName} = Object.keys(${name})\n`
    replacements.set(path, { code, moduleType: 'js' })
  }
  return { name: 'operation-tables', load: (id) => replacements.get(id) }
}
