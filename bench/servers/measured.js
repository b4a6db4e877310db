// A server in a child process. It sends its port to the parent process and, on request, the CPU time
// that it has used.

/** @param {import('node:http').Server} server */
export function serveMeasured(server) {
  server.listen(0, '127.0.0.1', () => reportPort(server.address().port))
}

/** @param {number} port Port of the server in this process. */
export function reportPort(port) {
  process.send({ port })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMicroseconds: user + system })
  })
  process.on('disconnect', () => process.exit(0))
}

/** Number of pets, set by the parent process. */
export const petCount = Number(process.argv[2])

/** Creates the list that every server sends: the fields of spec §2, with ids from 1. */
export function createItems() {
  const statuses = ['available', 'pending', 'sold']
  return Array.from({ length: petCount }, (_, index) => ({
    petId: index + 1,
    quantity: index % 50,
    status: statuses[index % 3],
  }))
}
