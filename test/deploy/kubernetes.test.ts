import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readHelp, root, runFile } from './support/programs.js'

/** The parts of a resource that the tests read. */
interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas?: number
    readonly selector?: unknown
    readonly serviceName?: string
    readonly template?: { readonly metadata: { readonly labels: unknown }; readonly spec: PodSpec }
  }
}

interface PodSpec {
  readonly enableServiceLinks?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly Container[]
  readonly volumes?: readonly { readonly name: string }[]
}

interface Container {
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly livenessProbe?: { readonly httpGet: { readonly path: string } }
  readonly readinessProbe?: { readonly httpGet?: { readonly path: string } }
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } }
}

const text = await readFile(join(root, 'deploy/kubernetes.yaml'), 'utf8')
const resources: readonly Resource[] = parseAllDocuments(text).map((document) => document.toJS())
const find = (kind: string) => {
  const found = resources.find((resource) => resource.kind === kind)
  if (!found?.spec.template) throw new Error(`kubernetes.yaml has no ${kind} with a template`)
  return { ...found.spec, pod: found.spec.template.spec }
}

test('kubernetes.yaml has the types that Kubernetes publishes, and no unknown field', async () => {
  expect(await findTypeErrors(resources)).toBe('')
})

test('a resource with another type or an unknown field is invalid', async () => {
  const [service, deployment] = resources
  const changed: object = { ...deployment, spec: { ...deployment?.spec, replicas: '3' } }
  const misspelt: object = { ...service, spec: { ...service?.spec, selectors: {} } }
  const errors = await findTypeErrors([changed as Resource, misspelt as Resource])
  expect(errors).toContain("Type 'string' is not assignable to type 'number'")
  expect(errors).toContain('selectors')
})

/** Returns what TypeScript reports about resources as literals: it also finds unknown fields. */
async function findTypeErrors(literals: readonly Resource[]): Promise<string> {
  const file = join(root, 'dist/kubernetes.ts')
  const lines = literals.map((resource, index) => {
    const module = `kubernetes-models/${resource.apiVersion}/${resource.kind}`
    return `export const r${index}: import('${module}').I${resource.kind} = ${JSON.stringify(resource)}`
  })
  await writeFile(file, lines.join('\n'))
  onTestFinished(() => rm(file))
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck']
  return runFile(join(root, 'node_modules/.bin/tsc'), [
    ...options,
    '--module',
    'nodenext',
    file,
  ]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('three replicas run serve with options that it has, and with the secret of a file', async () => {
  const { replicas, pod } = find('Deployment')
  expect(replicas).toBe(3)
  const [container] = pod.containers
  expect(container?.args).toEqual(['serve', '--redis', 'redis://petstore-sandbox-redis:6379'])
  const words = (await readHelp()).replaceAll(/\s+/g, ' ')
  for (const { name } of container?.env ?? []) expect(words).toContain(`(env: ${name})`)
  const file = container?.env?.find(({ name }) => name === 'PETSTORE_SANDBOX_KEY_SECRET_FILE')
  const mount = container?.volumeMounts.find(({ name }) => name === 'key-secret')
  expect(file?.value).toBe(`${mount?.mountPath}/key-secret`)
  expect(pod.volumes?.map(({ name }) => name)).toContain(mount?.name)
})

test('the probes use the paths of health checks, and a replica has time to end', () => {
  const { pod } = find('Deployment')
  const [container] = pod.containers
  expect(container?.livenessProbe?.httpGet.path).toBe('/healthz')
  expect(container?.readinessProbe?.httpGet?.path).toBe('/readyz')
  const [program, seconds] = container?.lifecycle?.preStop.exec.command ?? []
  expect(program).toBe('sleep')
  const pendingSeconds = 10
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + pendingSeconds)
})

test('no variable of a service of Kubernetes becomes an option of serve', () => {
  expect(find('Deployment').pod.enableServiceLinks).toBe(false)
})

test('services, sets and selectors name each other', () => {
  const services = resources.filter(({ kind }) => kind === 'Service')
  for (const kind of ['Deployment', 'StatefulSet']) {
    const { template, selector } = find(kind)
    expect(selector).toEqual({ matchLabels: template?.metadata.labels })
    expect(services.map(({ spec }) => spec.selector)).toContainEqual(template?.metadata.labels)
  }
  const names = services.map(({ metadata }) => metadata.name)
  expect(names).toContain(find('StatefulSet').serviceName)
})
