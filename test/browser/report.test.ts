import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { toHtml } from '../../src/report/format/html.js'
import type { Report } from '../../src/report/report.js'
import { hostileEntries } from '../report/format/hostile.js'
import {
  createHostileReport,
  emptyReport,
  fullReport,
  mergedReport,
  shortReport,
} from '../report/reports.js'
import { findFlaws, twoAppearances } from './support/axe.js'
import { usePages } from './support/pages.js'
import { measureOverflow } from './support/readable.js'
import type { Site } from './support/site.js'

const reports = new Map<string, Report>([
  ['full', fullReport],
  ['empty', emptyReport],
  ['merged', mergedReport],
  ['short', shortReport],
  ...hostileEntries.map(([name, text]) => [name, createHostileReport(text)] as const),
])
const names = [...reports.keys()]
const requests: (string | undefined)[] = []

/** Serves the HTML of each report at a path of its name. */
async function serveReports(): Promise<Site> {
  const server = createServer((req, res) => {
    requests.push(req.url)
    const report = reports.get(req.url?.slice(1) ?? '')
    res.writeHead(report ? 200 : 404, { 'Content-Type': 'text/html' })
    const thresholds = { failOn: 'warning', minCoverage: 80 } as const
    res.end(report && toHtml(report, { thresholds }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const pages = usePages(serveReports)

test.each(names)('the report %s has no flaws, loads nothing and runs nothing', async (name) => {
  requests.length = 0
  const { page, messages } = await pages.open(`/${name}`)
  expect(await findFlaws(page, name === 'full' ? undefined : twoAppearances)).toEqual([])
  expect(messages.filter((message) => !message.includes('404'))).toEqual([])
  expect(requests.filter((path) => path !== '/favicon.ico')).toEqual([`/${name}`])
  expect(await page.evaluate(() => document.scripts.length)).toBe(0)
  expect(await page.evaluate(violatePolicy)).toEqual(['img-src', 'style-src-attr'])
})

/** Adds an inline style and a picture to the page, and returns the directives that prevent them. */
async function violatePolicy(): Promise<string[]> {
  const violations: string[] = []
  await new Promise<void>((resolve) => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      if (violations.push(violatedDirective) === 2) resolve()
    })
    document.body.setAttribute('style', 'color: red')
    document.body.append(Object.assign(document.createElement('img'), { src: '/image.png' }))
  })
  return violations.toSorted()
}

test('the report in print has light colours, a page for each section, and nothing cut off', async () => {
  const { page } = await pages.open('/full')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 680, height: 1000 }) // A4 without its margins
  expect(await measureOverflow(page)).toBe(0)
  const styles = await page.evaluate(() => ({
    text: getComputedStyle(document.body).color,
    breaks: Array.from(document.querySelectorAll('section'), (section) => [
      section.id,
      getComputedStyle(section).breakBefore,
    ]),
  }))
  expect(styles).toEqual({
    text: 'rgb(23, 33, 31)',
    breaks: [
      ['timeline', 'auto'],
      ['conduct', 'page'],
      ['coverage', 'page'],
      ['what-if', 'page'],
    ],
  })
})
