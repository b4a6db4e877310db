import type { Clients } from './clients.js'
import { durationBounds, type Histogram, type Metrics } from './respond.js'

/** Returns the metrics of a server and of its process in the text format of Prometheus. */
export interface MetricsReader {
  readonly contentType: string
  metrics(): Promise<string>
}

/**
 * Creates the reader of the metrics of a server, and starts to measure the delay of the event loop.
 * Rejects if prom-client is not installed.
 */
export async function createMetricsReader(
  metrics: Metrics,
  clients: Clients,
): Promise<MetricsReader> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    metrics: async () => `${await registry.metrics()}\n${formatMetrics(metrics, clients)}`,
  }
}

/** Values by the last part of the name of a sample, with its labels. */
type Samples = readonly (readonly [end: string, value: number])[]

function formatMetrics(metrics: Metrics, clients: Clients): string {
  const { worlds } = clients.sandbox
  const measured: Readonly<Record<string, readonly [help: string, samples: Samples | number]>> = {
    requests_total: [
      'Requests of the service and the control API. The operation is "none" if no operation matched, and the status "none" if the connection was closed without a response.',
      countResponses(metrics),
    ],
    request_duration_seconds: [
      'Time from the headers of a request until its response is ready.',
      toSamples(metrics.requestDurations),
    ],
    connections: ['Open connections.', clients.connections],
    worlds: ['Worlds in memory.', worlds.count],
    world_bytes: ['Estimated size of all worlds, in bytes.', worlds.bytes],
    evictions_total: ['Evicted worlds.', clients.sandbox.evictions.notified],
    received_bytes: [
      'Bodies that are being received or processed, in bytes.',
      clients.received.used,
    ],
    waiting_bytes: [
      'Headers of requests that wait for earlier responses or the end of a delay, in bytes.',
      clients.waiting.used,
    ],
    unsent_bytes: ['Responses that have not been sent, in bytes.', clients.unsent.total],
    rejections_total: [
      'Requests that were rejected with 503 sandbox_capacity.',
      clients.sandbox.rejections.notified,
    ],
    store_duration_seconds: [
      'Duration of the operations of the store.',
      toSamples(metrics.storeDurations),
    ],
    store_conflicts_total: [
      'Requests that were executed again, because another replica had changed their world.',
      metrics.storeConflicts,
    ],
  }
  const texts = Object.entries(measured).map(([name, [help, found]]) => format(name, help, found))
  return texts.join('\n')
}

function format(shortName: string, help: string, measured: Samples | number): string {
  const name = `petstore_sandbox_${shortName}`
  const samples: Samples = typeof measured === 'number' ? [['', measured]] : measured
  const unit = name.slice(name.lastIndexOf('_') + 1)
  const type = { total: 'counter', seconds: 'histogram' }[unit] ?? 'gauge'
  const lines = samples.map(([end, value]) => `${name}${end} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function countResponses({ requests }: Metrics): Samples {
  return [...requests].flatMap(([operation, methods]) =>
    [...methods].flatMap(([method, statuses]) =>
      [...statuses].map(([status, count]) => {
        // The status is 0 if the connection was closed.
        const labels = `operation="${operation}",method="${method}",status="${status || 'none'}"`
        return [`{${labels}}`, count] as const
      }),
    ),
  )
}

/** Returns the samples of histograms, whose buckets are cumulative. */
function toSamples(histograms: ReadonlyMap<string, Histogram>): Samples {
  return [...histograms].flatMap(([operation, { counts, sum }]) => {
    const label = `operation="${operation}"`
    let total = 0
    const buckets = counts.map((count, at) => {
      total += count
      return [`_bucket{${label},le="${durationBounds[at] ?? '+Inf'}"}`, total] as const
    })
    return [...buckets, [`_sum{${label}}`, sum] as const, [`_count{${label}}`, total] as const]
  })
}
