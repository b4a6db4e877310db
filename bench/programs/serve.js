// A server that a benchmark measures, in a child process.
import { answerParent, readCpu } from './answer.js'

/**
 * Listens on a free port, which it sends to the parent process. Answers every message with the CPU
 * time of the process.
 *
 * @param {import('node:http').Server} server
 * @param {(message: any) => void} [receive] Receives messages other than `cpu`.
 */
export function serveMeasured(server, receive = () => {}) {
  server.listen(0, '127.0.0.1', () => answerCpu(server.address().port, receive))
}

/** @param {number} port Port of a server in this process that listens already. */
export function answerCpu(port, receive = () => {}) {
  answerParent({ port }, (message) => {
    if (message !== 'cpu') receive(message)
    return readCpu()
  })
}

/** Number of pets, set by the parent process. */
export const petCount = Number(process.argv[2])
