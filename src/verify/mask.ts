import { maskApiKey } from '../service/api-key.js'

/** Minimum length of a key that is masked. A shorter string is in bodies by chance. */
const minimumLength = 8

/** Returns a function that masks API keys, which a server can repeat in what it sends. */
export function createMask(keys: readonly string[]): (text: string) => string {
  const replacements = keys.flatMap((key) => {
    const masked = maskApiKey(key)
    // The shared keys of a sandbox are not secret.
    if (masked.startsWith(key) || key.length < minimumLength) return []
    const forms = new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
    return [...forms].map((form) => [form, masked] as const)
  })
  return (text) =>
    replacements.reduce((before, [form, masked]) => before.replaceAll(form, () => masked), text)
}
