/** The package @redis/client. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient' | 'defineScript'>

/**
 * Appends a step to a world if it still has a version: ARGV[1] (lineage) and ARGV[2] (number). ARGV[3]:
 * the step. ARGV[4]: time in milliseconds after which an unused world expires, or an empty string.
 * ARGV[5]: the base after the step, if it replaces the base. ARGV[6]: number of steps up to it that are
 * retained. Returns whether the step was appended: 1 or 0.
 */
const script = `
local key, lineage, expected, step, keep, base, retained = KEYS[1], unpack(ARGV)
local time = redis.call('TIME')
local stored, number, first = unpack(redis.call('HMGET', key, 'lineage', 'number', 'first'))
if not stored then stored, number, first = lineage, 0, 1 end
if stored ~= lineage or tonumber(number) ~= tonumber(expected) then return 0 end
number, first = number + 1, tonumber(first)
if base then
  local kept = math.max(first, number - retained + 1)
  for removed = first, kept - 1 do redis.call('HDEL', key, removed) end
  first = kept
  redis.call('HSET', key, 'base', number, 'data', base)
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', key, 'lineage', lineage, 'number', number, 'first', first, 'at', now, number, step)
if keep ~= '' then redis.call('PEXPIRE', key, keep) end
redis.call('PUBLISH', key, number)
return 1`

/**
 * Creates a client with the script as the command `appendStep`.
 *
 * @param isOpened Whether a connection that breaks is opened again.
 */
export function createClient(
  { createClient, defineScript }: RedisPackage,
  url: string,
  timeoutMs: number,
  isOpened: () => boolean,
) {
  const appendStep = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, args: readonly string[]) {
      parser.pushKey(key)
      parser.push(...args)
    },
    transformReply: (reply: number) => reply === 1,
  })
  return createClient({
    url,
    scripts: { appendStep },
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
      reconnectStrategy: (retries) => isOpened() && Math.min(50 * 2 ** retries, 1_000),
    },
  })
}

export type RedisClient = ReturnType<typeof createClient>
