/** Maximum size of a control request, in bytes. */
const maximumBytes = 8 * 1024 * 1024

/**
 * Reads a scenario file. Its JSON can have errors.
 *
 * @throws {Error} If the file is too large, is not text, or does not begin like JSON.
 */
export async function readScenarioText(file: File): Promise<string> {
  const name = JSON.stringify(file.name)
  if (file.size > maximumBytes) {
    const found = `${(file.size / 1024 / 1024).toFixed(1)} MiB`
    throw new Error(`${name} must have at most 8 MiB, which the sandbox accepts, found ${found}`)
  }
  const text = await file.text().catch(() => {
    throw new Error(`${name} could not be read; drop a file, not a folder`)
  })
  const json = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const first = json.trim().charAt(0)
  if (first === '') throw new Error(`${name} must be a scenario file, found an empty file`)
  if ('{["'.includes(first)) return json
  throw new Error(`${name} must be JSON, which begins with {, found ${JSON.stringify(first)}`)
}
