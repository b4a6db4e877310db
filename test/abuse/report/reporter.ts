import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Reporter, TestModule } from 'vitest/node'
import { attacks } from '../attacks/table.js'
import { checks } from '../correctness/table.js'
import { type Figures, toPage } from './page.js'

const beforeFile = new URL('../before.json', import.meta.url)
const pageFile = new URL('../../../docs/reliability.md', import.meta.url)

/** Writes docs/reliability.md after a run of all trials with full counts in which no test has failed. */
export class FiguresReporter implements Reporter {
  constructor(readonly seed: number) {}

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: string): void {
    const figures = this.#collect(modules)
    const isWhole = figures.measurements.length === attacks.length + checks.length
    if (isWhole && reason === 'passed') {
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
      commit: readCommit(),
      machine: describeMachine(),
      seed: this.seed,
      measurements,
    }
  }
}

/**
 * Reads the figures of the build of commit d9a7d05, which had few of the protections. Each attack must
 * miss a target there, or it would show nothing.
 */
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
