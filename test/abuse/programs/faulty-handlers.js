// Request handlers that make a server fail, to show that the trials notice it. The variable FAULT
// selects what fails.
import { HttpResponse, http } from 'msw'

const retained = []
let requests = 0

/**
 * Every seventh request to the API receives a wrong response and does not reach its world: a list is
 * empty, or an update is lost. A message always fails without an Error body.
 */
const respondsWrongly = [
  http.all('*/v1/*', ({ request }) => {
    requests += 1
    if (requests % 7 !== 0) return undefined
    return HttpResponse.json(request.method === 'GET' ? [] : {})
  }),
  http.post('*/quickstart/messages', () => new HttpResponse('a bug', { status: 500 })),
]

const faults = {
  respondsWrongly,
  blocks: [
    http.get('*/v1/attack', () => {
      // CPU time, because on a busy machine the process may not run all the time.
      const startMs = readCpuMs()
      while (readCpuMs() < startMs + 1_500);
    }),
  ],
  retains: [
    http.get('*/v1/attack', () => {
      retained.push(Buffer.alloc(2 ** 20, 1))
    }),
  ],
  exits: [http.get('*/v1/attack', () => process.abort())],
}

function readCpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

export const handlers = faults[process.env.FAULT]
