// What a page with the sandbox loads, and the time until its first response, in Chromium.
import { existsSync, readFileSync } from 'node:fs'
import { bundle, bundlePage, mswModule } from '../bundle.js'
import { findEntryFile } from '../checkout.js'
import { alternateCompared, pick } from '../measure.js'
import { createItems } from '../programs/pets.js'
import { toRow } from '../results.js'
import { reportTime, withPages } from '../site.js'

const rounds = { all: 11, compared: 110 }
const msw = 'msw, one plain handler'
const url = 'https://api.petstore.example/v1/inventory'
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const argumentsFile = new URL('../../test/browser/support/chromium-arguments.json', import.meta.url)

const visits = {
  first: 'first response on the first visit, ms',
  repeated: 'first response with an installed service worker, ms',
}

const sendRequest = `
const response = await fetch('${url}', { headers: { Authorization: 'Bearer sbx_free' } })
if ((await response.json()).length === 0) throw new Error('unexpected response')
${reportTime}`

const plainPage = `
import { http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'
const items = ${JSON.stringify(createItems(12))}
await setupWorker(http.get('${url}', () => HttpResponse.json(items))).start({ quiet: true })
${sendRequest}`

export const page = {
  id: 'page',
  title: 'Page',
  method: `Size: KiB after minification and gzip. Time: milliseconds from the navigation to the end of the first mocked response in Chromium, median of ${rounds.all} alternating rounds, or of ${rounds.all + rounds.compared} of the new figure and msw.`,

  async run({ checkouts, directory }) {
    const rows = await measureSizes(checkouts)
    if (!existsSync(chromium)) {
      const note = `times were skipped: found no Chromium at ${chromium}; install it ("apt-get install chromium" on Debian) or set CHROMIUM_PATH`
      return { rows, notes: [note] }
    }
    return { rows: [...rows, ...(await measureTimes(checkouts, directory))], notes: [] }
  },
}

async function measureSizes(checkouts) {
  const { eagerKib } = await bundle(mswModule)
  const pages = {}
  for (const checkout of checkouts)
    pages[checkout.label] = [await bundlePage(checkout, './browser')]
  return [
    toRow({
      measurement: 'loaded with the page, KiB',
      samples: { ...pick(pages, 'eagerKib'), 'msw alone': [eagerKib] },
      targets: [{ atMost: 250 }],
    }),
    toRow({
      measurement: 'loaded on demand, KiB',
      samples: pick(pages, 'laterKib'),
    }),
  ]
}

async function measureTimes(checkouts, directory) {
  const bundles = { [msw]: await bundle(plainPage), ...(await bundleSandboxes(checkouts)) }
  const args = JSON.parse(readFileSync(argumentsFile, 'utf8'))
  const samples = await withPages({ chromium, args, directory, bundles }, (visitTwice) => {
    const contenders = Object.keys(bundles).map((name) => [name, () => visitTwice(name)])
    return alternateCompared(rounds, Object.fromEntries(contenders), ['new', msw])
  })
  const targets = [{ reference: msw, times: 1.3 }]
  return Object.entries(visits).map(([visit, measurement]) =>
    toRow({ measurement, samples: pick(samples, visit), targets }),
  )
}

async function bundleSandboxes(checkouts) {
  const bundles = {}
  for (const checkout of checkouts) {
    const file = findEntryFile(checkout, './browser', 'browser')
    const start = `import { startSandbox } from ${JSON.stringify(file)}; await startSandbox({ quiet: true })`
    bundles[checkout.label] = await bundle(start + sendRequest, checkout)
  }
  return bundles
}
