// A typical Express server: express.json() and res.json().
import { createServer } from 'node:http'
import express from 'express'
import { createItems } from '../programs/pets.js'
import { petCount, serveMeasured } from '../programs/serve.js'

const items = createItems(petCount)
const byId = new Map(items.map((item) => [String(item.petId), item]))

const app = express()
app.get('/v1/inventory', (_req, res) => {
  res.json(items)
})
app.patch('/v1/inventory/:petId', express.json(), (req, res) => {
  const item = byId.get(req.params.petId)
  item.quantity = req.body.quantity
  res.json(item)
})

serveMeasured(createServer(app))
