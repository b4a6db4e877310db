// The part of the operations that a client of a sandbox needs, for petstore-sandbox/connect, the panel
// and the console.
import { join } from 'node:path'
import { runnerImport } from 'vite'

/** The modules with the tables of operations, and the names of a table and of its list of ids. */
const modules = {
  'src/service/operations/operations.ts': ['operations', 'operationIds'],
  'src/control/operations.ts': ['controlOperations', 'controlOperationIds'],
}

/**
 * Returns a plugin that replaces the modules of all operations by tables of their methods and paths:
 * the whole definitions contain their behaviour and their schemas, and need zod. The tables are
 * derived from the definitions, which this function executes.
 */
export async function reduceOperationTables() {
  const replacements = new Map()
  for (const [file, names] of Object.entries(modules)) {
    const path = join(import.meta.dirname, '..', file)
    const { module } = await runnerImport(path)
    replacements.set(path, toModule(...names, module))
  }
  return {
    name: 'operation-tables',
    load: (id) =>
      replacements.has(id) ? { code: replacements.get(id), moduleType: 'js' } : undefined,
  }
}

function toModule(table, ids, found) {
  const entries = found[ids].map((id) => {
    const { method, path } = found[table][id]
    return [id, { method, path }]
  })
  const json = JSON.stringify(Object.fromEntries(entries))
  // A client that needs only the ids does not contain the table.
  return `export const ${table} = ${json}\nexport const ${ids} = ${JSON.stringify(found[ids])}\n`
}
