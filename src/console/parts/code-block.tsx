import { CopyButton } from './copy-button.js'

/** Preformatted text with a button that copies it. */
export function CodeBlock(props: {
  text: string
  /** Name of the text, for the accessible name of the copy button. */
  what: string
}) {
  const { text, what } = props
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
