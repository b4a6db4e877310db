import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { type BrowserSandboxOptions, startSandbox } from '../../../src/browser.js'

declare global {
  interface Window {
    startSandbox: typeof startSandbox
    /** Loads the panel. */
    loadDevtools: () => Promise<typeof import('../../../src/devtools.js')>
    msw: { http: typeof http; HttpResponse: typeof HttpResponse; setupWorker: typeof setupWorker }
    /** Resolves when the sandbox of the query has started. */
    started: Promise<unknown> | undefined
  }
}

/** With `?options={…}`, starts a sandbox when the page is loaded. */
const query = new URLSearchParams(location.search).get('options')
const options: BrowserSandboxOptions | undefined = query === null ? undefined : JSON.parse(query)

window.startSandbox = startSandbox
window.loadDevtools = () => import('../../../src/devtools.js')
window.msw = { http, HttpResponse, setupWorker }
window.started = options && startSandbox({ quiet: true, expose: true, ...options })
