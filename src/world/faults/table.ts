// Every kind of fault; the name is its `type`. Adding a kind is one file and one line here.
export { delay } from './delay.js'
export { reset } from './reset.js'
export { status } from './status.js'
export { truncate } from './truncate.js'
