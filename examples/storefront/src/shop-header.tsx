import { scenarios } from './catalogue.js'

const plans = {
  free: 'Free plan',
  pro: 'Pro plan',
  revoked: 'A revoked key',
  none: 'No key at all',
}

interface ShopHeaderProps {
  readonly plan: string
  readonly onPlan: (plan: string) => void
  readonly scenario: string
  readonly onScenario: (scenario: string) => void
}

export function ShopHeader({ plan, onPlan, scenario, onScenario }: ShopHeaderProps) {
  // The URL of the page may name another scenario, and the panel may select one.
  const offered = scenarios.includes(scenario) ? scenarios : [...scenarios, scenario]
  return (
    <header>
      <h1>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <ellipse cx="6" cy="11" rx="2" ry="2.6" />
          <ellipse cx="10" cy="6.5" rx="2" ry="2.8" />
          <ellipse cx="14.6" cy="6.5" rx="2" ry="2.8" />
          <ellipse cx="18.6" cy="11" rx="2" ry="2.6" />
          <path d="M12.3 11.5c-2.8 0-5.6 3-5.6 5.6 0 1.8 1.4 2.6 2.9 2.4 1-.1 1.8-.5 2.7-.5s1.7.4 2.7.5c1.5.2 2.9-.6 2.9-2.4 0-2.6-2.8-5.6-5.6-5.6z" />
        </svg>
        Whiskers &amp; Fins
      </h1>
      <div class="switches">
        <label>
          API key
          <select value={plan} onChange={(event) => onPlan(event.currentTarget.value)}>
            {Object.entries(plans).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Scenario
          <select value={scenario} onChange={(event) => onScenario(event.currentTarget.value)}>
            {offered.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
    </header>
  )
}
