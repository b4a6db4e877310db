import { crc32 } from 'node:zlib'
import type { Operation } from './level.js'

/*
 * A frame: length of the operations (uint32), CRC-32 of what follows (uint32), number (float64),
 * operations. An operation: type (uint8), length of the key (uint32), length of the value (uint32),
 * key, value. Numbers are little-endian, strings UTF-8, lengths in bytes.
 */

const lengthAt = 0
const checksumAt = 4
const numberAt = 8
const headerBytes = 16
const operationHeaderBytes = 9
const types = ['del', 'put'] as const

/** Capacity of the buffer that an encoder keeps. */
const retainedBytes = 256 * 1024

/** Operations that are written together. */
export interface Frame {
  /** Frames are numbered consecutively. */
  readonly number: number
  readonly operations: readonly Operation[]
}

/** Encodes frames in a reused buffer. */
export class FrameEncoder {
  readonly #retained = Buffer.allocUnsafeSlow(retainedBytes)

  /** Returns the bytes of a frame, which are valid until the next call. */
  encode({ number, operations }: Frame): Buffer {
    const buffer = this.#allocate(operations)
    let at = headerBytes
    for (const operation of operations) at = encodeOperation(buffer, at, operation)
    buffer.writeUInt32LE(at - headerBytes, lengthAt)
    buffer.writeDoubleLE(number, numberAt)
    buffer.writeUInt32LE(crc32(buffer.subarray(numberAt, at)), checksumAt)
    return buffer.subarray(0, at)
  }

  #allocate(operations: readonly Operation[]): Buffer {
    let units = 0
    for (const operation of operations) {
      units += operation.key.length
      if (operation.type === 'put') units += operation.value.length
    }
    // A UTF-16 unit has at most 3 bytes in UTF-8.
    const bytes = headerBytes + operations.length * operationHeaderBytes + 3 * units
    return bytes <= retainedBytes ? this.#retained : Buffer.allocUnsafeSlow(bytes)
  }
}

/** Returns the position after the operation. */
function encodeOperation(buffer: Buffer, start: number, operation: Operation): number {
  const keyAt = start + operationHeaderBytes
  const keyBytes = buffer.write(operation.key, keyAt)
  const isPut = operation.type === 'put'
  const valueBytes = isPut ? buffer.write(operation.value, keyAt + keyBytes) : 0
  buffer[start] = types.indexOf(operation.type)
  buffer.writeUInt32LE(keyBytes, start + 1)
  buffer.writeUInt32LE(valueBytes, start + 5)
  return keyAt + keyBytes + valueBytes
}

/** Returns the frames before the first one that is incomplete, damaged or not consecutive. */
export function decodeFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  let at = 0
  while (at + headerBytes <= bytes.length) {
    const length = bytes.readUInt32LE(at + lengthAt)
    const end = at + headerBytes + length
    // Zeros, which a file system may leave at the end of a file, have a valid checksum.
    if (length === 0 || end > bytes.length) break
    const checksum = crc32(bytes.subarray(at + numberAt, end))
    const number = bytes.readDoubleLE(at + numberAt)
    const previous = frames.at(-1)
    const isConsecutive = previous === undefined || number === previous.number + 1
    if (checksum !== bytes.readUInt32LE(at + checksumAt) || !isConsecutive) break
    frames.push({ number, operations: decodeOperations(bytes, at + headerBytes, end) })
    at = end
  }
  return frames
}

function decodeOperations(bytes: Buffer, start: number, end: number): Operation[] {
  const operations: Operation[] = []
  let at = start
  while (at < end) {
    const keyAt = at + operationHeaderBytes
    const valueAt = keyAt + bytes.readUInt32LE(at + 1)
    const next = valueAt + bytes.readUInt32LE(at + 5)
    const key = bytes.toString('utf8', keyAt, valueAt)
    if (types[bytes[at] ?? 0] === 'del') operations.push({ type: 'del', key })
    else operations.push({ type: 'put', key, value: bytes.toString('utf8', valueAt, next) })
    at = next
  }
  return operations
}
