import express from 'express'
import { createSandboxMiddleware } from 'petstore-sandbox/server'

const petstore = await createSandboxMiddleware({ scenario: 'low-stock', pages: true })

const app = express()
app.use('/petstore', petstore) // before body parsers
app.use(express.json())
app.get('/', (_req, res) => {
  res.send('My shop. <a href="/petstore/">The console of the sandbox</a>')
})

const server = app.listen(process.env.PORT ?? 3000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}`)
})

process.once('SIGTERM', async () => {
  await petstore.close() // ends event streams, which would keep the server open
  server.close()
})
