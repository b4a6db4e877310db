import { useState } from 'preact/hooks'
import { Notice } from './notice.js'
import type { Message, PetStore } from './service.js'

interface MessageFormProps {
  readonly store: PetStore
  readonly isPaused: boolean
  readonly report: (error: unknown) => boolean
}

export function MessageForm({ store, isPaused, report }: MessageFormProps) {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<Message>()
  const [problem, setProblem] = useState<unknown>()

  const send = async (event: Event) => {
    event.preventDefault()
    setSent(undefined)
    setProblem(undefined)
    try {
      setSent(await store.sendMessage(text))
      setText('')
    } catch (error) {
      if (!report(error)) setProblem(error)
    }
  }

  return (
    <section aria-labelledby="message">
      <h2 id="message">Message to the wholesaler</h2>
      <form onSubmit={send}>
        <textarea
          required
          rows={2}
          aria-labelledby="message"
          placeholder="We need more goldfish."
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={isPaused}>
          Send
        </button>
      </form>
      {problem !== undefined && <Notice problem={problem} />}
      {sent && (
        <p class="sent" role="status">
          Your message is {sent.status}. <span class="quiet">{sent.id}</span>
        </p>
      )}
    </section>
  )
}
