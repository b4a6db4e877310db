import type { Clock } from '../world/clock.js'

/** The part of Playwright's `Clock` that `followPageClock` uses. */
export interface PageClock {
  install(options?: { time?: number | string | Date }): Promise<void>
  setSystemTime(time: number | string | Date): Promise<void>
  setFixedTime(time: number | string | Date): Promise<void>
  pauseAt(time: number | string | Date): Promise<void>
  resume(): Promise<void>
  fastForward(ticks: number | string): Promise<void>
  runFor(ticks: number | string): Promise<void>
}

/**
 * Makes a clock follow `page.clock`: each method of `page.clock` first moves the clock, because the
 * timers of the page may send requests before the method ends.
 */
export function followPageClock(page: PageClock, clock: Clock): void {
  const runFrom = (time: number | string | Date) => {
    clock.run()
    clock.set(time)
  }
  page.install = before(page, page.install, ({ time } = {}) => {
    if (time !== undefined) runFrom(time)
  })
  page.setSystemTime = before(page, page.setSystemTime, runFrom)
  page.setFixedTime = before(page, page.setFixedTime, (time) => clock.freeze(time))
  page.pauseAt = before(page, page.pauseAt, (time) => clock.freeze(time))
  page.resume = before(page, page.resume, () => clock.run())
  page.fastForward = before(page, page.fastForward, (ticks) => clock.advance(toMs(ticks)))
  page.runFor = before(page, page.runFor, (ticks) => clock.advance(toMs(ticks)))
}

/** Returns a method that calls `action` before `method`. */
function before<Args extends readonly unknown[]>(
  self: PageClock,
  method: (...args: Args) => Promise<void>,
  action: (...args: Args) => void,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    action(...args)
    await method.call(self, ...args)
  }
}

/** Converts ticks to milliseconds: a number, or a string such as `08`, `01:00` or `02:34:10`. */
function toMs(ticks: number | string): number {
  if (typeof ticks === 'number') return ticks
  return ticks.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000
}
