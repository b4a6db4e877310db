import { useSession } from '../session/session.js'

/** Copies a text. `what` names it for those who do not see what stands beside the button. */
export function CopyButton(props: { text: string; what: string; label?: string }) {
  const { text, what, label = 'Copy' } = props
  const { notify } = useSession()
  const copy = () => {
    copyText(text).then(
      () => notify(`Copied the ${what}.`),
      () => notify('The browser does not let this page copy: select the text instead.', 'error'),
    )
  }
  return (
    <button type="button" class="copy" aria-label={`Copy the ${what}`} onClick={copy}>
      {label}
    </button>
  )
}

/** A page over plain HTTP has no clipboard, unless it is on localhost. */
function copyText(text: string): Promise<void> {
  return navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
}
