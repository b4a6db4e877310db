/** Returns the scenario in the URL of the page: `?scenario=low-stock`, several joined with `+`. */
export function readScenario(): string {
  const scenario = new URLSearchParams(location.search).get('scenario') ?? 'default'
  // URLSearchParams decodes a plus sign to a space.
  return scenario.replaceAll(' ', '+')
}

/** Adds a history entry for a scenario, so that Back returns to the previous one. */
export function pushScenario(scenario: string): void {
  history.pushState(null, '', toUrl(scenario))
}

/** Changes the scenario of the current history entry. */
export function replaceScenario(scenario: string): void {
  history.replaceState(null, '', toUrl(scenario))
}

function toUrl(scenario: string): URL {
  const url = new URL(location.href)
  url.searchParams.set('scenario', scenario)
  return url
}
