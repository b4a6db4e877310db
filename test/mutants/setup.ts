import { beforeEach } from 'vitest'

/** Stryker selects tests with one regular expression, which must not be too large. */
beforeEach(({ task, skip }) => {
  skip(task.name.length > 10_000, 'its title is too long')
})
