import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { toReportTokens } from '../../../scripts/report-tokens.js'
import { toHtml } from '../../../src/report/format/html.js'
import { emptyReport, fullReport, mergedReport, shortReport } from '../reports.js'

const html = toHtml(fullReport)
const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []

test('the page permits only its style sheet', () => {
  const hash = createHash('sha256').update(css).digest('base64')
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
  const style = `style-src &#39;sha256-${hash}&#39;`
  const none = '&#39;none&#39;'
  expect(policy).toBe(`default-src ${none}; ${style}; base-uri ${none}; form-action ${none}`)
})

test('the page has no scripts, no inline styles and no addresses other than its sections', () => {
  expect(html).not.toMatch(/<script|<link|<img|<iframe|\sstyle=|\son\w+=|@import|url\(/)
  const addresses = [...html.matchAll(/\s(?:href|src|srcset|action)="([^"]*)"/g)]
  expect(addresses.map(([, address]) => address)).toEqual(['#conduct', '#coverage', '#what-if'])
})

test('the page has the colours and fonts of the console; if not, run npm run derive', async () => {
  const tokens = toReportTokens(await readFile('src/console/styles/tokens.css', 'utf8'))
  const declarations = [tokens.light, tokens.dark].map((text) => text.split('; '))
  for (const list of declarations) expect(list.length).toBeGreaterThan(15)
  expect(JSON.parse(await readFile('src/report/format/html/tokens.json', 'utf8'))).toEqual(tokens)
  expect(css).toContain(`:root { color-scheme: light; ${tokens.light} }`)
  expect(css).toContain(`:root { color-scheme: dark; ${tokens.dark} }`)
  for (const [, name] of css.matchAll(/var\((--[\w-]+)\)/g)) {
    expect(tokens.light).toContain(`${name}: `)
  }
})

test.each([
  ['every outcome', fullReport, 7],
  ['no requests', emptyReport, 6],
  ['one request', shortReport, 7],
  ['several worlds', mergedReport, 7],
])('the pictures of a report with %s have names', (_name, report, count) => {
  const pictures = [...toHtml(report).matchAll(/<svg [^>]*role="img"[^>]*>/g)].map(([tag]) => tag)
  expect(pictures).toHaveLength(count)
  for (const picture of pictures) expect(picture).toMatch(/aria-label="[^"]+"/)
})
