import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client'
import type { Sandbox } from '../../engine/sandbox.js'
import type { Clients } from './clients.js'
import { type DurationHistogram, durationBounds, type Metrics } from './metrics.js'

/** The parts of a server that its metrics describe. */
export interface MetricsSource {
  readonly metrics: Metrics
  readonly core: Sandbox
  readonly clients: Clients
}

const prefix = 'petstore_sandbox_'

type Measured = number | ReadonlyMap<string, DurationHistogram>

/**
 * The metrics without that of the requests: their help, and a number or histograms by operation.
 * Numbers that only increase end with `total`.
 */
const measurements: Readonly<
  Record<string, readonly [help: string, read: (source: MetricsSource) => Measured]>
> = {
  request_duration_seconds: [
    'Time from the headers of a request until its response is ready.',
    ({ metrics }) => metrics.requestDurations,
  ],
  connections: ['Open connections.', ({ clients }) => clients.connections],
  worlds: ['Worlds in memory.', ({ core }) => core.worlds.count],
  world_bytes: ['Estimated size of all worlds, in bytes.', ({ core }) => core.worlds.bytes],
  evictions_total: ['Evicted worlds.', ({ metrics }) => metrics.evictions],
  received_bytes: [
    'Bodies that are being received or processed, in bytes.',
    ({ clients }) => clients.received.used,
  ],
  waiting_bytes: [
    'Headers of requests that wait for earlier responses or the end of a delay, in bytes.',
    ({ clients }) => clients.waiting.used,
  ],
  unsent_bytes: [
    'Responses that have not been sent, in bytes.',
    ({ clients }) => clients.unsent.total,
  ],
  rejections_total: [
    'Requests that were rejected with 503 sandbox_capacity.',
    ({ metrics }) => metrics.rejections,
  ],
  store_duration_seconds: [
    'Duration of the operations of the store.',
    ({ metrics }) => metrics.storeDurations,
  ],
  store_conflicts_total: [
    'Requests that were executed again, because another replica had changed their world.',
    ({ metrics }) => metrics.storeConflicts,
  ],
}

/**
 * Creates a registry with the metrics of a server and those of the process. From then on, the delay
 * of the event loop is measured.
 */
export function createRegistry(source: MetricsSource): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addRequests(registry, source.metrics)
  for (const [shortName, [help, read]] of Object.entries(measurements)) {
    const name = prefix + shortName
    const measured = read(source)
    if (typeof measured === 'number') addNumber(registry, name, help, () => Number(read(source)))
    else addHistogram(registry, name, help, measured)
  }
  return registry
}

function addNumber(registry: Registry, name: string, help: string, read: () => number): void {
  const Metric = name.endsWith('total') ? Counter : Gauge
  const metric: Counter | Gauge = new Metric({
    name,
    help,
    registers: [registry],
    collect() {
      metric.reset()
      metric.inc(read())
    },
  })
}

function addRequests(registry: Registry, metrics: Metrics): void {
  const counter = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests of the service and the control API. The operation is "none" if no operation matched, and the status "none" if the connection was closed without a response.',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
    collect() {
      counter.reset()
      for (const [operation, counts] of metrics.requests) {
        for (const [method, statuses] of counts) {
          for (const [status, count] of statuses) {
            counter.inc({ operation, method, status: status || 'none' }, count)
          }
        }
      }
    },
  })
}

/** Adds histograms that were counted before: those of prom-client can only count by themselves. */
function addHistogram(
  registry: Registry,
  name: string,
  help: string,
  histograms: ReadonlyMap<string, DurationHistogram>,
): void {
  const get = async () => {
    const values = [...histograms].flatMap(([operation, { counts, sum }]) => {
      let total = 0
      const buckets = counts.map((count, at) => {
        total += count
        const labels = { operation, le: String(durationBounds[at] ?? '+Inf') }
        return { metricName: `${name}_bucket`, labels, value: total }
      })
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: { operation }, value: sum },
        { metricName: `${name}_count`, labels: { operation }, value: total },
      ]
    })
    return { name, help, type: 'histogram', values }
  }
  registry.registerMetric({ name, get } as unknown as Histogram) // the registry uses only these
}
