import { compareWithFiles } from './compare.js'
import { subjects } from './subjects.js'

compareWithFiles(subjects)
