import { startSandbox } from 'petstore-sandbox/browser'
import type { LoaderFunction } from 'storybook/internal/types'

/** The sandbox of all stories. */
export const sandbox = startSandbox({
  scenarios: [{ name: 'failing', extends: ['default'], faults: [{ type: 'status', status: 503 }] }],
  persist: false,
  quiet: true,
  // Relative to the page of the stories, because a published Storybook can be below a path.
  serviceWorker: { url: './mockServiceWorker.js' },
})

/** Passes a key to each story, and the world that the key names. */
export const openWorld: LoaderFunction = async ({ id, globals, parameters }) => {
  const scenario = globals.scenario || parameters.scenario || 'default'
  // A label has at most 64 letters, digits and hyphens.
  const label = id.replaceAll(/[^a-z0-9-]/g, '-').slice(-64)
  const apiKey = `sbx_free_${scenario}_${label}`
  const world = await (await sandbox).worldFor(apiKey)
  return { apiKey, world }
}

// A page has one sandbox, so it reloads when this file is edited.
import.meta.hot?.accept(() => location.reload())
