import { useSession } from '../session/session.js'

/** Copies a string to the clipboard. */
export function CopyButton(props: {
  text: string
  /** Name of the string, for the accessible name of the button. */
  what: string
  label?: string
}) {
  const { text, what, label = 'Copy' } = props
  const { notify } = useSession()
  const copy = () => {
    copyText(text).then(
      () => notify(`Copied the ${what}.`),
      () => notify('The browser blocks the clipboard. Select and copy the text instead.', 'error'),
    )
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={props.label ? `Copy ${what}` : `Copy the ${what}`}
      onClick={copy}
    >
      {label}
    </button>
  )
}

/** Copies a string. Rejects in an insecure context (HTTP, except on localhost): it has no clipboard. */
export function copyText(text: string): Promise<void> {
  return navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
}
