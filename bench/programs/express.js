// A typical Express server. The argument is its port.
import express from 'express'
import { createItems } from '../pets.js'

const items = createItems(100)
const app = express()
app.get('/v1/inventory', (_req, res) => {
  res.json(items)
})
app.listen(Number(process.argv[2]), '127.0.0.1')
