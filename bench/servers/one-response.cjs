// The least that a Node.js program does to respond to a request: the first argument is its port.
const { createServer } = require('node:http')

createServer((_req, res) => {
  res.setHeader('Content-Type', 'application/json')
  res.end('[]')
}).listen(Number(process.argv[2]), '127.0.0.1')
