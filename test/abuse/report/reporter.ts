import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Reporter, TestModule } from 'vitest/node'
import { attacks } from '../attacks/table.js'
import { checks } from '../correctness/table.js'
import type { Run } from '../run.js'
import { type Figures, toPage } from './page.js'

const beforeFile = new URL('../before.json', import.meta.url)
const pageFile = new URL('../../../docs/reliability.md', import.meta.url)

/**
 * Writes the figures of a run of all trials: docs/reliability.md after a run with full counts in which
 * no test has failed, before.json after a run against a server without protections.
 */
export class FiguresReporter implements Reporter {
  constructor(readonly run: Run) {}

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: string): void {
    const figures = this.#collect(modules)
    const isWhole = figures.measurements.length === attacks.length + checks.length
    if (isWhole && this.run.mode === 'before') {
      writeFileSync(beforeFile, `${JSON.stringify(figures, undefined, 2)}\n`)
    } else if (isWhole && reason === 'passed') {
      writeFileSync(pageFile, toPage(figures, readBefore()))
    } else {
      console.log('No figures are written, because a test has failed or was not run.')
    }
  }

  #collect(modules: readonly TestModule[]): Figures {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const measurements = tests.flatMap((test) => test.meta().measurement ?? [])
    return {
      date: new Date().toISOString().slice(0, 10),
      commit: process.env.ABUSE_COMMIT ?? readCommit(),
      machine: describeMachine(),
      seed: this.run.seed,
      measurements,
    }
  }
}

/** Reads the figures of the server without protections. */
export function readBefore(): Figures {
  return JSON.parse(readFileSync(beforeFile, 'utf8'))
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function describeMachine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const processors = `${cpus().length} × ${first?.model.trim()}`
  return `${processors}, ${memory} GiB of memory, Node.js ${process.version}`
}
