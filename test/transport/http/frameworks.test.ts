import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import connect from 'connect'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createSandboxMiddleware, type SandboxMiddleware } from '../../../src/server.js'
import { express4 } from '../../support/express-4.js'
import { serve } from '../../support/server.js'

/** The first middleware of an application, its path, and the next one. */
type Mount = (path: string, sandbox: SandboxMiddleware, next: RequestListener) => Promise<string>

const inVite: Mount = async (path, sandbox, next) => {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    server: { port: 0, host: '127.0.0.1', ws: false },
    plugins: [
      {
        name: 'petstore',
        configureServer: ({ middlewares }) => void middlewares.use(path, sandbox).use(next),
      },
    ],
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
}

const inHttp: Mount = (path, sandbox, next) =>
  serve((req: IncomingMessage, res: ServerResponse) => {
    const { url = '' } = req
    if (!url.startsWith(path)) return next(req, res)
    req.url = `/${url.slice(path.length).replace(/^\//, '')}`
    sandbox(req, res, () => {
      req.url = url
      next(req, res)
    })
  })

const mounts: readonly (readonly [name: string, mount: Mount])[] = [
  ['Express 5', (path, sandbox, next) => serve(express().use(path, sandbox).use(next))],
  ['Express 4', (path, sandbox, next) => serve(express4().use(path, sandbox).use(next))],
  ['Connect', (path, sandbox, next) => serve(connect().use(path, sandbox).use(next))],
  ['Vite', inVite],
  ['node:http', inHttp],
]

const headers = { Authorization: 'Bearer sbx_enterprise' }

test.each(mounts.flatMap((row) => ['/', '/petstore'].map((path) => [...row, path] as const)))(
  '%s at %3$s: the sandbox responds to its requests, and the next middleware to all others',
  async (_name, mount, path) => {
    const sandbox = await createSandboxMiddleware()
    onTestFinished(() => sandbox.close())
    const url = await mount(
      path,
      sandbox,
      (req, res) => void res.end(`the application: ${req.url}`),
    )
    const root = path === '/' ? url : `${url}${path}`
    const getText = async (target: string) => (await fetch(target, { headers })).text()

    const list = await fetch(`${root}/v1/inventory?x=1`, { headers })
    expect(list.headers.get('X-RateLimit-Limit')).toBe('5000')
    expect(await list.json()).toHaveLength(12)
    const changed = await fetch(`${root}/staging/v1/inventory/1`, {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"quantity":5}',
    })
    expect(await changed.json()).toMatchObject({ petId: 1, quantity: 5 })
    expect(await getText(`${root}/staging/sandbox/pets`)).toContain('"quantity":5')
    expect(await getText(`${root}/v1/none`)).toContain('route_not_found')
    // Express sets a header before the sandbox.
    const repeated = { Via: ['1.1 a', '1.1 b'] }
    sandbox.sandbox.world.faults.add({ type: 'status', status: 502, headers: repeated, atMost: 1 })
    const failed = await fetch(`${root}/v1/inventory`, { headers })
    expect(failed.headers.get('Via')).toBe('1.1 a, 1.1 b')

    for (const other of ['/', '/v1x?a=b', '/src/v1/inventory', '/openapi.json', '/metrics']) {
      expect(await getText(`${url}${other}`)).toBe(`the application: ${other}`)
    }
    expect(await getText(`${root}/other`)).toBe(
      `the application: ${new URL(root).pathname.replace(/\/$/, '')}/other`,
    )
  },
)
