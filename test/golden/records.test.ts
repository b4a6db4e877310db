import { compareWithFiles } from './compare.js'
import { journal } from './subjects/journal.js'
import { openapi } from './subjects/openapi.js'
import { reports } from './subjects/reports.js'

// In a file of its own, because no program is started: these golden files kill mutants, too.
compareWithFiles([journal, openapi, reports])
