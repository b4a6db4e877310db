import { config } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/**
 * Limits how fast the heap of this process grows. No request needs more CPU time with these settings
 * (measured).
 */
export function limitHeap(): void {
  // V8 would double the space of new objects again and again, up to 64 MiB in Node.js 24: with 10,000
  // worlds, a third of the memory of the process.
  setFlagsFromString('--semi-space-growth-factor=1')
  // V8 would let the heap grow to four times what was live before it collects garbage. Worlds that
  // are read from a store and soon evicted are such garbage.
  setFlagsFromString('--heap-growing-percent=120')
  // Maglev, a compiler of Node.js 24, would free its memory on other threads, where malloc retains it:
  // more than 20 MB. Without this compiler, there is no such flag.
  const build: Readonly<Record<string, unknown>> = config.variables
  if (build.v8_enable_maglev === 1) setFlagsFromString('--no-maglev-destroy-on-background')
}
