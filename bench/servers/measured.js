// A server in a process of its own, which tells its parent where it listens and, when asked, how
// much CPU time it has used so far.

/** @param {import('node:http').Server} server */
export function serveMeasured(server) {
  server.listen(0, '127.0.0.1', () => reportPort(server.address().port))
}

/** @param {number} port Where the server of this process listens. */
export function reportPort(port) {
  process.send({ port })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMicroseconds: user + system })
  })
  process.on('disconnect', () => process.exit(0))
}

/** How many pets the parent asked for. */
export const petCount = Number(process.argv[2])

/** The list that every server serves: the fields of spec §2, ids from 1. */
export function createItems() {
  const statuses = ['available', 'pending', 'sold']
  return Array.from({ length: petCount }, (_, index) => ({
    petId: index + 1,
    quantity: index % 50,
    status: statuses[index % 3],
  }))
}
