/** Downloads a file. */
export function saveFile(name: string, parts: readonly string[], type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
