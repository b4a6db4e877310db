// The part of the operations that a client of a remote sandbox needs, for petstore-sandbox/connect.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The modules with the tables of operations, and the names of a table and of its list of ids. */
const modules = {
  'src/operations/operations.ts': ['operations', 'operationIds'],
  'src/control/operations.ts': ['controlOperations', 'controlOperationIds'],
}

/**
 * Returns a plugin that replaces the modules of all operations by tables of their methods and paths:
 * the whole definitions contain their behaviour and their schemas, and need zod. The tables are
 * derived from the definitions, which this function executes.
 *
 * @param {string} directory Directory for temporary files.
 * @param {object} inputOptions Options of rolldown for the source of the package.
 */
export async function reduceOperationTables(directory, inputOptions) {
  const files = Object.keys(modules)
  const bundle = await rolldown({ ...inputOptions, input: files, platform: 'node' })
  const { output } = await bundle.write({ dir: directory, format: 'esm' })
  await bundle.close()
  const replacements = new Map()
  for (const [file, [table, ids]] of Object.entries(modules)) {
    const { fileName } = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(file))
    const found = await import(pathToFileURL(join(directory, fileName)).href)
    replacements.set(file, toModule(table, ids, found))
  }
  await rm(directory, { recursive: true })
  return {
    name: 'operation-tables',
    load(id) {
      const file = files.find((name) => id.endsWith(`/${name}`))
      return file && { code: replacements.get(file), moduleType: 'js' }
    },
  }
}

function toModule(table, ids, found) {
  const entries = found[ids].map((id) => {
    const { method, path } = found[table][id]
    return [id, { method, path }]
  })
  const json = JSON.stringify(Object.fromEntries(entries))
  return `export const ${table} = ${json}\nexport const ${ids} = Object.keys(${table})\n`
}
