import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Only a test that hangs fails by its time.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)
