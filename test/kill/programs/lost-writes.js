// Makes the store acknowledge what it does not write to its log.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { writeSync } = fs
fs.writeSync = (...args) =>
  args[1] instanceof Uint8Array ? args[3] : Reflect.apply(writeSync, fs, args)
syncBuiltinESMExports()
