import { isDeepStrictEqual } from 'node:util'
import type { CallStep } from '../replay/cases.js'
import { shorten } from '../replay/shorten.js'

/** Methods that return a part of the sandbox. */
const getters = new Set(['worldFor', 'account'])

/** Methods that change nothing. */
const readers = new Set([
  ...['entries', 'findItem', 'findOrder', 'findPet', 'list', 'messages', 'now', 'snapshot'],
  'whenStored',
])

interface Watcher {
  add(step: CallStep): void
  /** Reports what cannot be recorded. */
  reject(problem: string): void
}

/** Returns an object that does the same and adds a step for each call that may change something. */
export function watch<T extends object>(
  target: T,
  watcher: Watcher,
  path: CallStep['call'] = [],
): T {
  const where = ['sandbox', ...path.filter((part) => typeof part === 'string')].join('.')
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof name === 'symbol') return value
      if (typeof value === 'function') return watchMethod(target, value, watcher, [...path, name])
      return isPart(value) ? watch(value, watcher, [...path, name]) : value
    },
    defineProperty: (_, name, descriptor) => {
      watcher.reject(`replaces ${where}.${String(name)}`)
      return Reflect.defineProperty(target, name, descriptor)
    },
    getPrototypeOf: () => {
      watcher.reject(`reads the prototype of ${where}`)
      return Reflect.getPrototypeOf(target)
    },
  })
}

function watchMethod(
  target: object,
  method: CallableFunction,
  watcher: Watcher,
  path: readonly (string | readonly unknown[])[],
): (...parameters: unknown[]) => unknown {
  const name = String(path.at(-1))
  return (...parameters) => {
    const result: unknown = Reflect.apply(method, target, parameters)
    if (readers.has(name)) return result
    const call = [...path, parameters.map(shorten)]
    if (getters.has(name)) return watchResult(result, watcher, call)
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parameters)), parameters)) {
      watcher.reject(`passes values that are not JSON to ${name}`)
    }
    watcher.add({ call })
    return result
  }
}

function watchResult(result: unknown, watcher: Watcher, call: CallStep['call']): unknown {
  if (result instanceof Promise) return result.then((part) => watch(part, watcher, call))
  return isPart(result) ? watch(result, watcher, call) : result
}

/** Whether a value is an instance of a class and not data. */
function isPart(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null
}
