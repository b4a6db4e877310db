import { useState } from 'preact/hooks'

/** Number of characters of a string that is shown as a whole. */
const shortLength = 160

/** A string of any length. A long one is cut to three lines until the user shows all of it. */
export function LongText({ text, what }: { text: string; what: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > shortLength || text.split('\n', 4).length > 3
  if (!isLong) return <bdi class="long-text">{text}</bdi>
  return (
    <>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
        <section class="long-text open" dir="auto" tabIndex={0} aria-label={`All of ${what}`}>
          {text}
        </section>
      ) : (
        // The browser needs time for the layout of the hidden lines.
        <div class="long-text cut" dir="auto">
          {text.slice(0, 1_000)}
        </div>
      )}
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        <span class="unseen"> of {what}</span>
      </button>
    </>
  )
}
