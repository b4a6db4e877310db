import type { ComponentChildren } from 'preact'

/** One sentence that says what happened and what to do, and buttons that do it. */
export function Alert(props: {
  kind: 'info' | 'warn' | 'bad'
  children: ComponentChildren
  actions?: ComponentChildren
}) {
  return (
    <div class={`banner ${props.kind}`}>
      <p>{props.children}</p>
      <div class="actions">{props.actions}</div>
    </div>
  )
}
