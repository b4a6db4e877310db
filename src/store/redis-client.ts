/** The package @redis/client. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient' | 'defineScript'>

/**
 * Compares the version of a world with ARGV[1] (lineage) and ARGV[2] (number). Without ARGV[3], returns
 * the milliseconds since the last append and the steps since the version, or nil if they are not
 * available. ARGV[3] is a step to append: returns an empty list, or nil if the version is not the stored
 * one. ARGV[4]: time in milliseconds after which an unused world expires, or an empty string. ARGV[5]:
 * the base after the step, if it replaces the base. ARGV[6]: number of steps up to it that are retained.
 */
const script = `
local key, lineage, expected, step, keep, base, retained = KEYS[1], unpack(ARGV)
expected = tonumber(expected)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored, number, first, at =
  unpack(redis.call('HMGET', key, 'lineage', 'number', 'first', 'at'))
if not stored and step and expected == 0 then stored, number, first = lineage, 0, 1 end
if stored ~= lineage then return nil end
number, first = tonumber(number), tonumber(first)
if not step then
  if expected > number or expected + 1 < first or number - expected > 1000 then return nil end
  local result = { now - at }
  for missing = expected + 1, number do
    local found = redis.call('HGET', key, missing)
    if not found then return nil end
    result[#result + 1] = found
  end
  return result
end
if expected ~= number then return nil end
number = number + 1
if base then
  local kept = math.max(first, number - retained + 1)
  for removed = first, kept - 1 do redis.call('HDEL', key, removed) end
  first = kept
  redis.call('HSET', key, 'base', number, 'data', base)
end
redis.call('HSET', key, 'lineage', lineage, 'number', number, 'first', first, 'at', now, number, step)
if keep ~= '' then redis.call('PEXPIRE', key, keep) end
redis.call('PUBLISH', key, number)
return {}`

/** Reply of the script. */
export type ScriptReply = readonly [ageMs: number, ...steps: string[]] | readonly [] | null

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
    transformReply: (reply: ScriptReply) => reply,
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
