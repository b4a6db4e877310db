import { configure } from '@testing-library/vue'

// Only a test that hangs fails by its time.
configure({ asyncUtilTimeout: 10_000 })
