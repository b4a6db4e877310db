/**
 * Imports a module of the user. The build has a file of its own for it, because Jest, which loads the
 * others, supports no native `import()`.
 */
export function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url)
}
