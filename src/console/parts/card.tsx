import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A section with a title. */
export function Card(props: {
  title: string
  /** Beside the title: a state, or actions on the whole section. */
  aside?: ComponentChildren
  class?: string
  /** Whether it is still being loaded, so that its height will change. */
  isBusy?: boolean
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section
      class={`card ${props.class ?? ''}`}
      aria-labelledby={id}
      aria-busy={props.isBusy || undefined}
    >
      <div class="card-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  )
}
