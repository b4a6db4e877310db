// Preloaded into the server under attack with `node --import`. Measures how long its event loop was
// blocked, and how much memory it retains. Sends the figures over the IPC channel.
//
// The length of a block is the CPU time of the event-loop thread between two ticks, not the real
// time: on a machine that does other work, a thread may wait for a processor for any time, and that
// is not a block. Linux counts the CPU time of a thread, and the time it waited for a processor, in
// /proc/thread-self/schedstat. A tick is a timer of 5 ms or the start of a request, so that many
// short requests in one iteration of the event loop do not add up.
import { subscribe } from 'node:diagnostics_channel'
import { openSync, readSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const intervalMs = 5
/** Blocks from this length are sent at once, because the process may end before it is asked. */
const urgentMs = 10

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const buffer = Buffer.alloc(64)
const readCpuMs = createCpuClock()

let lastCpuMs = readCpuMs()
let lastAtMs = performance.now()
let blockMs = 0
let blockWallMs = 0

const timer = setInterval(tick, intervalMs)
timer.unref()
subscribe('http.server.request.start', tick)

process.on('message', (type) => {
  tick()
  if (type === 'retained') send({ type, retainedBytes: measureRetained() })
  else send({ type, blockMs, blockWallMs })
  // Neither a measurement of memory nor what was before `begin` counts as a block.
  lastCpuMs = readCpuMs()
  lastAtMs = performance.now()
  if (type === 'begin') blockMs = blockWallMs = 0
})
// The server ends with the process that started it.
process.on('disconnect', () => process.exit())
// The channel does not keep the server running.
process.channel?.unref()

function tick() {
  const cpuMs = readCpuMs()
  const atMs = performance.now()
  blockWallMs = Math.max(blockWallMs, atMs - lastAtMs)
  const ms = cpuMs - lastCpuMs
  if (ms > blockMs) {
    blockMs = ms
    if (ms >= urgentMs) send({ type: 'block', blockMs, blockWallMs })
  }
  lastCpuMs = cpuMs
  lastAtMs = atMs
}

/** Returns the bytes that are in use after a garbage collection, in the heap and in buffers. */
function measureRetained() {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Creates a function that returns the CPU time of the event-loop thread, in milliseconds. */
function createCpuClock() {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    return () => Number(readText(file).split(' ', 1)[0]) / 1e6
  } catch {
    // A kernel without these statistics: the CPU time of all threads, which is never less.
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e3
    }
  }
}

function readText(file) {
  return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))
}

function send(message) {
  if (process.connected) process.send(message)
}
