import type { Subject } from './subject.js'

/** The golden files, in alphabetical order. */
export const subjects: readonly Subject[] = []
