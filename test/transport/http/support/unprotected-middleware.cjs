// The middleware as in its documentation, without the protection of the sandbox.
const { createMiddleware } = require('@mswjs/http-middleware')
const express = require('express')
const { http, HttpResponse } = require('msw')

const handlers = [
  http.get('/reset', () => HttpResponse.error()),
  http.get('/failing-body', () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the body fails'))
      },
    })
    return new HttpResponse(body)
  }),
  http.get('/login', () => new HttpResponse('in', { headers: { 'Set-Cookie': 'session=mine' } })),
  http.get('/who', ({ cookies }) => HttpResponse.json(cookies)),
  http.get('/items/:id', () => HttpResponse.json('from the handler')),
]

const app = express()
app.use(createMiddleware(...handlers))
app.use(express.text({ type: '*/*' }))
app.use((req, res) => res.json({ after: 'the handlers', body: req.body ?? null }))
app.use((error, _req, res, _next) => res.status(500).json({ failed: error.message }))
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
