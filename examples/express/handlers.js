import { createMiddleware } from '@mswjs/http-middleware'
import express from 'express'
import { HttpResponse, http } from 'msw'
import { createSandbox } from 'petstore-sandbox'

const sandbox = await createSandbox({
  scenario: 'low-stock',
  baseUrl: '/v1',
  stagingBaseUrl: '/staging/v1',
  quickstartBaseUrl: '/quickstart',
  controlUrl: '/sandbox',
})
const recommendations = http.get('/recommendations', () => HttpResponse.json([{ petId: 1 }]))

const app = express()
app.use('/petstore', createMiddleware(recommendations, ...sandbox.handlers))
app.get('/', (_req, res) => {
  res.send('My shop')
})

const server = app.listen(process.env.PORT ?? 3000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}`)
})
