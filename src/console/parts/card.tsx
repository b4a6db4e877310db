import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A titled part of a view. */
export function Card(props: {
  title: string
  /** Beside the title: a state, or what can be done to the whole. */
  aside?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={`card ${props.class ?? ''}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  )
}
