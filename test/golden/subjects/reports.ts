import { createHash } from 'node:crypto'
import type { Report } from 'petstore-sandbox'
import { run } from '../../cli/support.js'
import { jsonHeaders } from '../../cli/world-support.js'
import { emptyReport, fullReport } from '../../report/reports.js'
import { cases, runCase } from '../../report/rule-clients.js'
import { openClient } from '../../report/support.js'
import { serve } from '../../support/server.js'
import { findDifference } from '../difference.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

export const reports: Subject = {
  name: 'reports',
  async produce() {
    const unused = await (await openClient()).report()
    const clients: Record<string, unknown> = {}
    for (const [rule, each] of Object.entries(cases).flatMap(toRows)) {
      const report = await (await runCase(each)).report()
      clients[`${rule}: ${each.client}`] = findDifference(byName(report), byName(unused))
    }
    return {
      unused,
      'what differs from it': clients,
      'formats of a full report': await print(fullReport),
      'formats of an empty report': await print(emptyReport),
    }
  },
}

function toRows([rule, list]: [string, (typeof cases)[string]]) {
  return list.map((each) => [rule, each] as const)
}

/** Names the rules and cells, so that the difference between two reports is short. */
function byName(report: Report) {
  const { conduct, coverage, ...others } = report
  const { cells, ...totals } = coverage
  return {
    ...others,
    rules: conduct.map(({ id }) => id),
    conduct: Object.fromEntries(conduct.map((rule) => [rule.id, rule])),
    coverage: {
      ...totals,
      cells: Object.fromEntries(
        cells.map((cell) => [
          `${cell.operation} ${cell.status} ${cell.limiter} ${cell.sunset}`,
          cell,
        ]),
      ),
    },
  }
}

/** Returns what the command line prints of a report. */
async function print(report: Report) {
  const url = await serve((_, response) => {
    response.writeHead(200, jsonHeaders)
    response.end(JSON.stringify(report))
  })
  const printAs = async (format: string, env = {}) => {
    const { stdout } = await run(['world', 'report', '--url', url, '--format', format], env)
    return stdout
  }
  const html = await printAs('html')
  return {
    text: toReadable(await printAs('text')),
    'text with colours': toReadable(await printAs('text', { FORCE_COLOR: '1' })),
    junit: toReadable(await printAs('junit')),
    html: { length: html.length, sha256: createHash('sha256').update(html).digest('hex') },
  }
}
