import { Card } from '../parts/card.js'
import { type View, viewIds, views } from '../routing/route.js'

/** What the user can do in each view. */
const purposes: Readonly<Record<Exclude<View, 'overview'>, string>> = {
  try: 'Send any request from a form, and copy it as curl.',
  scenarios: 'Start from any state: sold out, banned, past the sunset.',
  faults: 'Delay, fail or break requests, to see how a client copes.',
  data: 'Add, change and remove pets, orders and messages.',
  journal: 'See every request, and why it received its response.',
  report: 'Check how well a client follows the limits and the contract.',
  reference: 'Look up assumptions, plans and error codes.',
}

/** Links to the other views. */
export function Capabilities() {
  return (
    <Card title="What you can do here">
      <ul class="tiles">
        {viewIds
          .filter((id) => id !== 'overview')
          .map((id) => (
            <li key={id}>
              <a href={`#${id}`}>{views[id]}</a>
              <span>{purposes[id]}</span>
            </li>
          ))}
        <li>
          <b>On this page</b>
          <span>Rehearse limits and bans, and move the clock of the world.</span>
        </li>
      </ul>
    </Card>
  )
}
