import { benchRequests } from './requests.js'
import { benchStartUp } from './start-up.js'
import { benchWorlds } from './worlds.js'

await benchRequests()
await benchStartUp()
await benchWorlds()
