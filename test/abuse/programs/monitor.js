// Preloaded into the server under attack with `node --expose-gc --import`. Answers each message with
// the bytes that are in use after a garbage collection, in the heap and in buffers.
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  if (process.connected) process.send(heapUsed + external)
})
// The server ends with the process that started it, which does not keep it running.
process.on('disconnect', () => process.exit())
process.channel?.unref()
