import { expect, test } from 'vitest'
import { passTurns } from '../../../src/service/timers.js'
import { Preparations } from '../../../src/transport/http/clients.js'

/** A preparation that lasts until it is ended. */
function createTask(started: string[], name: string) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const task = async () => {
    started.push(name)
    await ended
    return name
  }
  return { task, end: () => end() }
}

/** Resolves when the preparations whose turn it is have begun. */
const settle = () => passTurns(20)

test('preparations are performed one at a time, in the order of the clients', async () => {
  const preparations = new Preparations()
  const started: string[] = []
  const [first, second] = [{}, {}]
  const a = createTask(started, 'a')
  const b = createTask(started, 'b')
  const c = createTask(started, 'c')
  const results = [
    preparations.run(first, a.task),
    preparations.run(first, b.task),
    preparations.run(second, c.task),
  ]
  await settle()
  expect(started).toEqual(['a'])
  a.end()
  await settle()
  // The second preparation of the first client takes its place behind the other client.
  expect(started).toEqual(['a', 'c'])
  c.end()
  await settle()
  expect(started).toEqual(['a', 'c', 'b'])
  b.end()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
})

test('the preparation of a tenth client is rejected, and accepted after the first', async () => {
  const preparations = new Preparations()
  const { task, end } = createTask([], 'long')
  const waiting = Array.from({ length: 9 }, () => preparations.run({}, task))
  await settle()
  await expect(preparations.run({}, task)).rejects.toMatchObject({ code: 'sandbox_capacity' })
  end()
  await Promise.all(waiting)
  expect(await preparations.run({}, async () => 2)).toBe(2)
})
