import express from 'express'
import { createSandboxMiddleware } from 'petstore-sandbox/server'

const petstore = await createSandboxMiddleware({ scenario: 'low-stock', pages: true })

export const app = express()
app.use('/petstore', petstore) // before body parsers
app.use(express.json())
app.get('/', (_req, res) => void res.send('My shop'))
