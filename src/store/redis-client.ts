/** The package @redis/client. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient' | 'defineScript'>

/**
 * Compares the version of a world with ARGV[1] (lineage) and ARGV[2] (number). Returns 0 if it is not
 * available; if it is not the stored one, the milliseconds since the last append and the steps since the
 * version; otherwise 1. ARGV[3] is what happens:
 *
 * - `read`: nothing
 * - `append`: appends the step ARGV[4] to the stored version. ARGV[5]: time in milliseconds after which
 *   an unused world expires, or an empty string. ARGV[6]: the base after the step, if it
 *   replaces the base. ARGV[7]: number of steps up to it that are retained.
 * - `compact`: sets the base of the version to ARGV[4]. ARGV[5]: number of steps up to it that are
 *   retained.
 */
const script = `
local key, lineage, expected, kind, data = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if kind == 'append' and expected == 0 and redis.call('EXISTS', key) == 0 then
  redis.call('HSET', key, 'lineage', lineage, 'number', 0, 'first', 1, 'base', -1)
end
local stored, number, first, base, at =
  unpack(redis.call('HMGET', key, 'lineage', 'number', 'first', 'base', 'at'))
number, first = tonumber(number), tonumber(first)
if stored ~= lineage or expected > number then return 0 end
if kind == 'compact' then
  if expected < tonumber(base) then return 0 end
  local kept = math.max(first, expected - ARGV[5] + 1)
  for removed = first, kept - 1 do redis.call('HDEL', key, string.format('%d', removed)) end
  redis.call('HSET', key, 'first', string.format('%d', kept), 'base', ARGV[2], 'data', data)
  return 1
end
if expected < number then
  if expected + 1 < first or number - expected > 1000 then return 0 end
  local since = {}
  for missing = expected + 1, number do since[#since + 1] = missing end
  since = redis.call('HMGET', key, unpack(since))
  for _, found in ipairs(since) do if not found then return 0 end end
  return { now - at, unpack(since) }
end
if kind == 'append' then
  number = string.format('%d', number + 1)
  redis.call('HSET', key, 'number', number, 'at', string.format('%d', now), number, data)
  if ARGV[6] then
    local kept = math.max(first, number - ARGV[7] + 1)
    for removed = first, kept - 1 do redis.call('HDEL', key, string.format('%d', removed)) end
    redis.call('HSET', key, 'first', string.format('%d', kept), 'base', number, 'data', ARGV[6])
  end
  if ARGV[5] ~= '' then redis.call('PEXPIRE', key, ARGV[5]) end
  redis.call('PUBLISH', key, number)
end
return 1`

const minimumRetryMs = 50
const maximumRetryMs = 1_000

/**
 * Creates a client with the script as the command `run`.
 *
 * @param isOpened Whether a connection that breaks is opened again.
 */
export function createClient(
  { createClient, defineScript }: RedisPackage,
  url: string,
  timeoutMs: number,
  isOpened: () => boolean,
) {
  const run = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, args: readonly string[]) {
      parser.pushKey(key)
      parser.push(...args)
    },
    transformReply: (reply: unknown) => reply,
  })
  return createClient({
    url,
    scripts: { run },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // The pings prevent that the timeout of the socket closes an unused connection.
    pingInterval: timeoutMs / 2,
    // A timer for each command would cost more than the command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // The first connection is not retried, so that a wrong address is reported.
      reconnectStrategy: (retries) =>
        isOpened() && Math.min(minimumRetryMs * 2 ** retries, maximumRetryMs),
    },
  })
}

export type RedisClient = ReturnType<typeof createClient>
