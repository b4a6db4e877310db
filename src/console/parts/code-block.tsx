import { CopyButton } from './copy-button.js'

/** Text as a machine reads it, with a button to copy it. */
export function CodeBlock({
  text,
  what,
  isWrapped,
}: {
  text: string
  what: string
  isWrapped?: boolean
}) {
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too. */}
      <pre tabIndex={0} class={isWrapped ? 'wrapped' : undefined}>
        {text}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
