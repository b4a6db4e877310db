/**
 * Imports a module of the user. The build puts it into a separate file, because Jest, which loads the
 * other files, supports no native `import()`.
 */
export function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url)
}
