// The part of the operations and error codes that a client of a sandbox needs, for petstore-sandbox/connect, the panel and the console.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runnerImport } from 'vite'

/** The modules with the tables of operations, and the names of a table and of its list of ids. */
const modules = {
  'src/service/operations/operations.ts': ['operations', 'operationIds'],
  'src/control/operations.ts': ['controlOperations', 'controlOperationIds'],
}

/** The module with the catalogue of error codes, of which a client needs only the list. */
const errorModule = 'src/service/errors.ts'

/** End of the id of the original module. */
const whole = '?whole'

/**
 * Returns a plugin that replaces the modules of all operations by tables of their methods and paths,
 * and that of the error codes by their list: the whole definitions contain their behaviour and their
 * schemas, and need zod. The tables are derived from the definitions, which this function
 * executes.
 */
export async function reduceOperationTables() {
  const files = [...Object.keys(modules), errorModule]
  const replacements = new Map()
  for (const file of files) {
    const { module } = await runnerImport(join(import.meta.dirname, '..', file))
    const names = modules[file]
    replacements.set(file, names ? toModule(...names, module) : toCodeModule(module))
  }
  return {
    name: 'operation-tables',
    resolveId: (id, importer) => (id.endsWith(whole) ? join(dirname(importer), id) : undefined),
    async load(id) {
      if (id.endsWith(whole)) {
        return { code: await readFile(id.slice(0, -whole.length), 'utf8'), moduleType: 'ts' }
      }
      const file = files.find((name) => id.endsWith(`/${name}`))
      return file && { code: replacements.get(file), moduleType: 'js' }
    },
  }
}

/** The list takes the place of the one that is computed from the catalogue. */
function toCodeModule({ allErrorCodes }) {
  const list = `export const allErrorCodes = ${JSON.stringify(allErrorCodes)}`
  return `${list}\nexport * from './errors.ts${whole}'\n`
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
