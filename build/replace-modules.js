const prefix = '\0replaced:'

/**
 * Creates a plugin that replaces modules by other source, or adds some. The build fails if nothing
 * imports one of them.
 *
 * @param {[imported: RegExp, source: string][]} replacements A replacement can import the original.
 */
export function replaceModules(replacements) {
  const unused = new Set(replacements)
  const find = (imported) => replacements.find(([pattern]) => pattern.test(imported))
  return {
    name: 'replace-modules',
    resolveId(imported, importer) {
      const found = find(imported)
      const id = `${prefix}${imported}`
      if (!found || importer === id) return undefined
      unused.delete(found)
      return id
    },
    load: (id) => (id.startsWith(prefix) ? find(id.slice(prefix.length))[1] : undefined),
    buildEnd(error) {
      if (error || unused.size === 0) return
      const patterns = [...unused].map(([pattern]) => pattern).join(', ')
      throw new Error(`the build replaces ${patterns}, which nothing imports`)
    },
  }
}
