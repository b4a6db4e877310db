import { compareWithFiles } from './compare.js'
import { replays } from './replay/subjects.js'

// In a file of its own, so that vitest runs it next to the other subjects.
compareWithFiles(replays)
