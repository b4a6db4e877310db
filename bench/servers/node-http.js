// node:http without a library: it serializes the list for each response, validates nothing, and sends
// only the necessary headers.
import { createServer } from 'node:http'
import { createItems } from '../programs/pets.js'
import { petCount, serveMeasured } from '../programs/serve.js'

const items = createItems(petCount)
const byId = new Map(items.map((item) => [String(item.petId), item]))

serveMeasured(
  createServer((req, res) => {
    if (req.method === 'GET') return send(res, items)
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const item = byId.get(req.url.slice('/v1/inventory/'.length))
      item.quantity = JSON.parse(Buffer.concat(chunks)).quantity
      send(res, item)
    })
  }),
)

function send(res, value) {
  const body = JSON.stringify(value)
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  res.end(body)
}
