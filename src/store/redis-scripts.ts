/*
 * Keys of a world, with one hash tag, so that Redis Cluster stores them together:
 *
 * {<prefix>!<id>}:meta      hash: `lineage`, `number` of the last record, and `base`, the number of the
 *                           last record that the snapshot includes, if there is one
 * {<prefix>!<id>}:records   list of the retained records, oldest first
 * {<prefix>!<id>}:base      snapshot
 *
 * The key of the meta data is also the channel of the world. A message is the number, the lineage and
 * the text of a record that was appended, or empty if the world has changed otherwise. If Redis has
 * evicted one of the keys, the world is removed.
 */

const lost = '0'
const current = '1'

/** Size in bytes up to which a record is part of the message. */
const longestMessage = '16384'

/** Lua expressions that several scripts use. */
const readMeta = `
local meta = redis.call('HMGET', KEYS[1], 'lineage', 'number', 'base')
local number = tonumber(meta[2])
local base = tonumber(meta[3]) or -1
`

/** Returns the records after the version in ARGV[1] and ARGV[2]. */
const returnSince = `
local expected = tonumber(ARGV[2])
if meta[1] ~= ARGV[1] or expected > number then return ${lost} end
if expected < number then
  local first = number - redis.call('LLEN', KEYS[2]) + 1
  if expected + 1 < first then return ${lost} end
  return redis.call('LRANGE', KEYS[2], expected + 1 - first, -1)
end
`

/**
 * The scripts, by name. KEYS are those of the world, in the order above. Each is atomic.
 *
 * - `append` lineage, number, record, keepMs: returns 1 if the record is stored, the records since, or
 *   0 if they are not available.
 * - `readSince` lineage, number: the same without a record.
 * - `compact` lineage, number, data, retained, keepMs.
 * - `load`: returns lineage, number, number of the snapshot or −1, snapshot, records.
 * - `remove`.
 * - `openFormat` format: sets the format of an empty database. Returns the stored one.
 */
export const scripts = {
  append: `${readMeta}
if not meta[1] then
  if ARGV[2] ~= '0' then return ${lost} end
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'lineage', ARGV[1])
  number = 0
else
  ${returnSince}
end
local length = redis.call('RPUSH', KEYS[2], ARGV[3])
number = number + 1
if length < number - math.max(base, 0) then
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  return ${lost}
end
redis.call('HSET', KEYS[1], 'number', number)
if ARGV[4] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  if base >= 0 then redis.call('PEXPIRE', KEYS[3], ARGV[4]) end
end
if #ARGV[3] > ${longestMessage} then
  redis.call('PUBLISH', KEYS[1], '')
else
  redis.call('PUBLISH', KEYS[1], number .. ' ' .. ARGV[1] .. ' ' .. ARGV[3])
end
return ${current}`,

  readSince: `${readMeta}
if not meta[1] then return ${lost} end
${returnSince}
return ${current}`,

  compact: `${readMeta}
local version = tonumber(ARGV[2])
if meta[1] ~= ARGV[1] or version > number or version < base then return end
redis.call('HSET', KEYS[1], 'base', ARGV[2])
redis.call('SET', KEYS[3], ARGV[3])
local ttl = redis.call('PTTL', KEYS[1])
if ttl > 0 then redis.call('PEXPIRE', KEYS[3], ttl) end
local kept = number - version + tonumber(ARGV[4])
if kept > 0 then redis.call('LTRIM', KEYS[2], -kept, -1) else redis.call('DEL', KEYS[2]) end`,

  load: `${readMeta}
if not meta[1] then return false end
local data = redis.call('GET', KEYS[3])
local records = redis.call('LRANGE', KEYS[2], 0, -1)
if (base >= 0 and not data) or #records < number - math.max(base, 0) then
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  return false
end
return { meta[1], number, base, data or '', records }`,

  remove: `
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('PUBLISH', KEYS[1], '')`,

  openFormat: `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])`,
} as const satisfies Record<string, string>

/** Name of a script. */
export type ScriptName = keyof typeof scripts
