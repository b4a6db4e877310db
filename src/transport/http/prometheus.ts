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

/**
 * Creates a registry with the metrics of a server and those of the process. From then on, the delay
 * of the event loop is measured.
 */
export function createRegistry(source: MetricsSource): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addRequests(registry, source)
  addWorlds(registry, source)
  addRequestBytes(registry, source)
  addStore(registry, source)
  return registry
}

function addRequests(registry: Registry, { metrics, clients }: MetricsSource): void {
  new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests of the service and the control API. The operation is "none" if no operation matched, and the status "none" if the connection was closed without a response.',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { counts }] of metrics.requests) {
        for (const [method, statuses] of counts) {
          for (const [status, count] of statuses) {
            this.inc({ operation, method, status: status || 'none' }, count)
          }
        }
      }
    },
  })
  addHistogram(
    registry,
    'request_duration_seconds',
    'Time from the headers of a request until its response is ready.',
    () => Array.from(metrics.requests, ([operation, { durations }]) => [operation, durations]),
  )
  addGauge(registry, 'connections', 'Open connections.', () => clients.connections)
}

function addWorlds(registry: Registry, { metrics, core }: MetricsSource): void {
  addGauge(registry, 'worlds', 'Worlds in memory.', () => core.worlds.count)
  addGauge(
    registry,
    'world_bytes',
    'Estimated size of all worlds, in bytes.',
    () => core.worlds.bytes,
  )
  addCounter(registry, 'evictions_total', 'Evicted worlds.', () => metrics.evictions)
}

function addRequestBytes(registry: Registry, { metrics, clients }: MetricsSource): void {
  const { received, waiting, unsent } = clients
  addGauge(
    registry,
    'received_bytes',
    'Bodies that are being received or processed, in bytes.',
    () => received.used,
  )
  addGauge(
    registry,
    'waiting_bytes',
    'Headers of requests that wait for earlier responses or the end of a delay, in bytes.',
    () => waiting.used,
  )
  addGauge(
    registry,
    'unsent_bytes',
    'Responses that have not been sent, in bytes.',
    () => unsent.total,
  )
  addCounter(
    registry,
    'rejections_total',
    'Requests that were rejected with 503 sandbox_capacity.',
    () => metrics.rejections,
  )
}

function addStore(registry: Registry, { metrics }: MetricsSource): void {
  addHistogram(
    registry,
    'store_duration_seconds',
    'Duration of the operations of the store.',
    () => metrics.storeDurations,
  )
  addCounter(
    registry,
    'store_conflicts_total',
    'Requests that were executed again, because another replica had changed their world.',
    () => metrics.storeConflicts,
  )
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `${prefix}${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `${prefix}${name}`,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** Adds histograms that were counted before: those of prom-client can only count by themselves. */
function addHistogram(
  registry: Registry,
  name: string,
  help: string,
  read: () => Iterable<readonly [operation: string, histogram: DurationHistogram]>,
): void {
  const fullName = `${prefix}${name}`
  const metric = {
    name: fullName,
    get: async () => ({
      name: fullName,
      help,
      type: 'histogram',
      values: [...read()].flatMap(([operation, histogram]) =>
        toValues(fullName, operation, histogram),
      ),
    }),
  }
  registry.registerMetric(metric as unknown as Histogram) // the registry uses only its name and `get`
}

function toValues(name: string, operation: string, { counts, sum }: DurationHistogram) {
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
}
