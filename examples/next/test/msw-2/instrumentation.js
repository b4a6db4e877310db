/** The same mock as in the application above, with msw 2. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { http } = await import('msw-2')
  const { setupServer } = await import('msw-2/node')
  const { createSandbox } = await import('petstore-sandbox/node')
  const sandbox = await createSandbox()
  const handler = http.all('https://api.petstore.example/*', ({ request }) =>
    sandbox.fetch(request),
  )
  setupServer(handler).listen({ onUnhandledRequest: 'bypass' })
}
