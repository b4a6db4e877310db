import type { Option } from 'commander'
import { EnvOption } from '../options.js'

/** Creates the command-line options of the limits. */
export function createLimitOptions(): Option[] {
  return [
    new EnvOption(
      '--max-memory <size>',
      'Estimated size of all worlds, at most half of the heap. Default: 512MiB.',
    ),
    new EnvOption('--max-world-memory <size>', 'Estimated size of each world. Default: 16MiB.'),
    new EnvOption(
      '--max-client-memory <size>',
      'Estimated size of the worlds of one client address. Default: half of that of all worlds.',
    ),
    new EnvOption(
      '--max-worlds <number>',
      'Maximum number of worlds. Default: as many as --max-memory has room for.',
    ),
    new EnvOption(
      '--retain <duration>',
      'Time for which a world that another client used is never evicted. Default: 15m.',
    ),
    new EnvOption('--max-connections <number>', 'Open connections. Default: 10000.'),
    new EnvOption(
      '--max-client-connections <number>',
      'Open connections of one client address. Default: 2000.',
    ),
    new EnvOption(
      '--max-client-streams <number>',
      'Open event streams of one client address. Default: 100.',
    ),
    new EnvOption(
      '--max-client-worlds <number>',
      'New worlds of one client address per minute. Default: 60000.',
    ),
    new EnvOption(
      '--max-client-control-requests <number>',
      'Control requests of one client address per minute. Default: 60000.',
    ),
    new EnvOption(
      '--trust-proxy <hops>',
      'Number of reverse proxies whose headers are trusted: X-Forwarded-For, to which each adds the client address, and X-Forwarded-Proto, -Host and -Prefix. Default: 0.',
    ),
  ]
}
