import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { copyText } from '../parts/copy-button.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'

/** Creates a text and copies it. Shows the text if the browser blocks the clipboard. */
export function CopyAction(props: {
  label: string
  /** What is copied, for messages: `a curl command`. */
  what: string
  create: () => string | Promise<string>
}) {
  const { label, what, create } = props
  const { notify } = useSession()
  const [shown, setShown] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (shown !== undefined) field.current?.select()
  }, [shown])
  const copy = async () => {
    try {
      const text = await create()
      copyText(text).then(
        () => notify(`Copied ${what}.`),
        () => setShown(text),
      )
    } catch (error) {
      notify(`Nothing was copied: ${toFailure(error).message}.`, 'error')
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      {shown !== undefined && (
        <label class="field shown-copy">
          The browser blocks the clipboard. Copy the text from here.
          <textarea ref={field} class="code" rows={8} readOnly value={shown} />
        </label>
      )}
    </>
  )
}
