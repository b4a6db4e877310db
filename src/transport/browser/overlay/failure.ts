import { ScenarioError } from '../../../world/scenario/error.js'
import type { ScenarioLibrary } from '../../../world/scenario/library.js'
import { createButton, createElement, openOverlay } from './element.js'

/** What the overlay shows of a sandbox that could not be started. */
export interface Failure {
  readonly error: unknown
  /** The known scenarios. */
  readonly library: ScenarioLibrary
  /** Name of the parameter in the URL of the page that names the scenario. Undefined if none does. */
  readonly parameter: string | undefined
}

/** Shows why a sandbox could not be started, and what to do, in a dialog above the page. */
export function showFailure({ error, library, parameter }: Failure): void {
  const message = error instanceof Error ? error.message : String(error)
  const dialog = createElement(
    'dialog',
    { role: 'alertdialog' },
    createElement('h2', { id: 'title' }, title),
    createElement('p', { className: 'message', id: 'message' }, message),
    ...(error instanceof ScenarioError ? createScenarioList(library.names(), parameter) : []),
    createElement(
      'div',
      { className: 'actions' },
      createButton('Reload', () => location.reload()),
      createButton('Close', () => dialog.close()),
    ),
  )
  dialog.setAttribute('aria-labelledby', 'title')
  dialog.setAttribute('aria-describedby', 'message')
  dialog.onclose = () => dialog.remove()
  openOverlay().addDialog(dialog)
  dialog.showModal()
}

const title = 'The Pet Store sandbox could not be started'

/** Lists the known scenarios: as links that start them, if the URL can name a scenario. */
function createScenarioList(
  scenarios: readonly string[],
  parameter: string | undefined,
): HTMLElement[] {
  const items = scenarios.map((name) => {
    if (parameter === undefined) return createElement('span', {}, name)
    return createElement('a', { href: toScenarioUrl(parameter, name) }, name)
  })
  const heading = parameter === undefined ? 'Known scenarios:' : 'Start a known scenario:'
  const list = items.map((item) => createElement('li', {}, item))
  return [createElement('p', {}, heading), createElement('ul', {}, ...list)]
}

function toScenarioUrl(parameter: string, name: string): string {
  const url = new URL(location.href)
  url.searchParams.set(parameter, name)
  return url.href
}
