// Cost of loading an entry point in a new process, beyond the start of Node.js.
import { root } from '../checkout.js'
import { alternate, forEachCheckout, pick } from '../measure.js'
import { runCode } from '../processes.js'
import { toRow } from '../results.js'

/** Rounds for a load with a target, and for the others. */
const rounds = { target: 11, other: 5 }

/** What is loaded, and the reference. The names resolve in the directory of the checkout. */
const loads = [
  {
    name: "import 'petstore-sandbox'",
    own: toImport('petstore-sandbox'),
    reference: 'msw',
    times: 1.35,
  },
  {
    name: '… and createSandbox()',
    own: `const { createSandbox } = ${toImport('petstore-sandbox')}; await createSandbox()`,
  },
  { name: "require('petstore-sandbox')", own: "require('petstore-sandbox')", reference: 'msw' },
  {
    name: "import 'petstore-sandbox/node'",
    own: toImport('petstore-sandbox/node'),
    reference: 'msw/node',
  },
  { name: "import 'petstore-sandbox/server'", own: toImport('petstore-sandbox/server') },
]

export const imports = {
  id: 'import',
  title: 'Import',
  method: `In a new process, without the start of Node.js itself; median of ${rounds.target} alternating rounds, or of ${rounds.other} without a target.`,

  async run({ checkouts, nodes }) {
    const rows = []
    const failures = new Set()
    for (const node of nodes) {
      for (const load of loads) rows.push(...(await measureLoad(checkouts, node, load, failures)))
    }
    return { rows, notes: [...failures] }
  },
}

async function measureLoad(checkouts, node, { name, own, reference, times }, failures) {
  const type = own.startsWith('require') ? 'commonjs' : 'module'
  const measure = ({ label, directory }) =>
    measureCode(node, own, type, directory).catch((error) => {
      failures.add(
        `${name} fails in the ${label} checkout on Node.js ${node.version}: ${readError(error)}`,
      )
    })
  const contenders = forEachCheckout(checkouts, measure)
  if (reference !== undefined) {
    const code = type === 'commonjs' ? `require('${reference}')` : toImport(reference)
    contenders[reference] = () => measureCode(node, code, type, root)
  }
  const samples = await alternate(times ? rounds.target : rounds.other, contenders)
  return (times ? ['CPU', 'wall'] : ['CPU']).map((figure) =>
    toRow({
      measurement: `${name}, ms ${figure}`,
      node: node.version,
      samples: pick(samples, figure),
      targets: times === undefined ? [] : [{ reference, times }],
    }),
  )
}

function measureCode(node, code, type, cwd) {
  const measured = `
    const cpu = process.cpuUsage()
    const started = performance.now()
    ${code}
    const wall = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    process.stdout.write(JSON.stringify({ CPU: (user + system) / 1_000, wall }))
    process.exit()`
  return runCode(node.path, { code: measured, type, cwd })
}

function toImport(name) {
  return `await import('${name}')`
}

function readError({ stderr = '', message }) {
  return /^\w*Error.*$/m.exec(stderr)?.[0] ?? message
}
