import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'

/** Copies a string to the clipboard. */
export function CopyButton(props: {
  text: string
  /** Name of the string, for the accessible name of the button. */
  what: string
  label?: string
}) {
  const { text, what, label = 'Copy' } = props
  const copy = useCopy()
  return (
    <button
      type="button"
      class="copy"
      aria-label={props.label ? `Copy ${what}` : `Copy the ${what}`}
      onClick={() => void copy(`the ${what}`, () => text)}
    >
      {label}
    </button>
  )
}

/** Returns a function that creates a string, copies it, and says what it has copied. */
export function useCopy() {
  const { notify } = useSession()
  return async (what: string, create: () => string | Promise<string>) => {
    try {
      await copyText(await create())
      notify(`Copied ${what}.`)
    } catch (error) {
      notify(`Nothing was copied: ${toFailure(error).message}.`, 'error')
    }
  }
}

/** @throws {Error} If the browser blocks the clipboard. */
async function copyText(text: string): Promise<void> {
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // In an insecure context (HTTP, except on localhost), there is only the command.
    addEventListener('copy', onCopy, true)
    const isCopied = document.execCommand('copy')
    removeEventListener('copy', onCopy, true)
    if (isCopied) return
    throw new Error(
      'the browser blocks the clipboard; permit it, or open the page with HTTPS or on localhost',
    )
  }
}
