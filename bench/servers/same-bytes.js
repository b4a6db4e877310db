// node:http that sends a response which the sandbox has sent before: the same header lines and the
// same body. It does no work of its own.
import { createServer } from 'node:http'
import { serveMeasured } from '../programs/serve.js'

/** By method: header names and values in turn, and the body. */
const responses = new Map()

const server = createServer((req, res) => {
  if (req.method === 'GET') return send(res, responses.get('GET'))
  req.on('data', () => {})
  req.on('end', () => send(res, responses.get(req.method)))
})

serveMeasured(server, ({ method, rawHeaders, body }) => {
  responses.set(method, { rawHeaders, body: Buffer.from(body, 'base64') })
})

function send(res, { rawHeaders, body }) {
  res.writeHead(200, rawHeaders)
  res.end(body)
}
