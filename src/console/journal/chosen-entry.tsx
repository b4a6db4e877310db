import { useLayoutEffect, useRef } from 'preact/hooks'
import { DismissButton } from '../parts/notices.js'
import { EntryDetail } from './entry-detail.js'

/** The journal entry that a link has opened, above the others, which a filter can hide. */
export function ChosenEntry({ id }: { id: number }) {
  const part = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    part.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  const close = () => {
    part.current?.closest<HTMLElement>('.journal')?.focus({ preventScroll: true })
    location.hash = '#journal'
  }
  return (
    <section
      ref={part}
      // A second press of the link scrolls to it.
      id={`request-${id}`}
      class="chosen"
      tabIndex={-1}
      aria-label={`Request ${id}`}
    >
      <div class="card-head">
        <h3>Request {id}</h3>
        <DismissButton label={`Close request ${id}`} onClick={close} />
      </div>
      <EntryDetail id={id} />
    </section>
  )
}
