import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createDirectory } from '../cli/support.js'
import { openAgent } from '../mcp/support.js'
import { readShellBlocks, start } from './shell.js'

const runFile = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')

const llms = await read('llms.txt')
const skill = await read('skills/petstore-sandbox/SKILL.md')
const page = await read('docs/agents.md')
const readCommands = (text: string) =>
  [...text.matchAll(/`((?:npx|curl|export) [^`]+)`/g)].map(([, command = '']) => command)

/**
 * Runs the commands of the built package and vitest, as `npx` does in a project that has both. Installs
 * nothing: test/install installs vitest beside the package.
 */
const npx = `npm() { :; }
npx() {
  if [ "$1" = --no ]; then shift; fi
  case $1 in
    petstore-sandbox) shift; node '${root}dist/cjs/cli.js' "$@" ;;
    vitest) shift; node '${root}node_modules/vitest/vitest.mjs' "$@" ;;
  esac
}
`

/** Creates a project with the package and the files of the skill. */
async function createProject(): Promise<string> {
  const folder = await createDirectory({})
  await cp(join(root, 'examples/agents'), folder, { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/petstore-sandbox'))
  for (const name of ['msw', 'vitest']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

/** Runs lines in a shell. Rejects if one of them fails. Resolves to the output. */
async function run(lines: readonly string[], url: string, cwd: string): Promise<string> {
  const script = [npx, 'set -eu', ...lines].join('\n').replaceAll('http://127.0.0.1:4010', url)
  const env = { ...process.env, NO_COLOR: '1', PETSTORE_SANDBOX_URL: url }
  const { stdout } = await runFile('bash', ['-c', script], { cwd, env, timeout: 240_000 })
  return stdout
}

describe('llms.txt', () => {
  test('has a title, a summary, and sections of links only', () => {
    const [head = '', ...sections] = llms.split(/^## /m)
    expect(head).toMatch(/^# petstore-sandbox\n\n> [^\n]+\n\n/)
    expect(sections.length).toBeGreaterThan(0)
    for (const section of sections) {
      expect(section).toMatch(/^[A-Z]\w+\n\n(?:- \[[^\]]+\]\([^)]+\)(?:: [^\n]+)?\n)+\n?$/)
    }
  })

  test('has ten commands, which run in their order', async () => {
    const steps = llms.matchAll(/^\d+\. .*`([^`]+)`$/gm)
    const [serve = '', ...commands] = [...steps].map(([, command = '']) => command)
    expect(commands).toHaveLength(9)
    const others = readCommands(llms).filter((command) => ![serve, ...commands].includes(command))

    const output = await run([...commands, ...others], await start(serve), await createProject())

    expect(output).toContain('"petId":9223372036854775807')
    expect(output).toContain('GET /inventory  listInventory')
    expect(output).toMatch(/^Requests {2}1$/m) // the report
    expect(output).toContain(' 0 deviate')
  })
})

describe('the skill', () => {
  test('has the front matter of its format, and at most 150 lines', () => {
    const [, frontMatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? []
    expect(parse(frontMatter)).toEqual({
      name: 'petstore-sandbox',
      description: expect.stringMatching(/^.{1,1024}$/),
      license: 'MIT',
      compatibility: expect.stringMatching(/^.{1,500}$/),
    })
    expect(skill.split('\n').length - 1).toBeLessThanOrEqual(150)
  })

  const blocks = readShellBlocks(skill)
  const [serve = '', takeKey = '', assess = '', reset = '', testIt = ''] = blocks
  const rows = [...skill.matchAll(/^\| ([\w ]+) \| `([^`]+)` \|/gm)]
  const states = rows.map(([, state = '', prepare = '']) => ({ state, prepare }))

  test('leads to a clean report', async () => {
    const output = await run([takeKey, assess, reset], await start(serve), await createProject())
    expect(output).toMatch(/^sbx_free_default_[\w-]+\n\[\{"petId":1,/)
    expect(output).toContain('POST /messages  sendMessage')
    expect(output).toContain('CONDUCT  0 errors, 0 warnings, ')
  })

  /** What the report or the journal shows of each state. */
  const expected: Readonly<Record<string, RegExp>> = {
    '429': /^kept {4}retry-after[\s\S]*( 429 {2}GET [\s\S]*){2}/m,
    ban: /^kept {4}retry-after[\s\S]*api_key_banned/m,
    sunset: /^kept {4}deprecated-in-use[\s\S]* 200 {2}POST/m,
    'lost response': /^kept {4}message-once/m,
    int64: /PATCH \/inventory\/9223372036854775807/,
    failures: /( 503 {2}GET [\s\S]*){4}/,
  }

  test('rehearses each state, with a clean report', async () => {
    const url = await start(serve)
    const report = assess.split('\n').at(-1) ?? ''
    const client = 'node run.mjs 2>&1 || echo "the client failed"'
    const journal = 'npx --no petstore-sandbox world requests list --explain'
    const outputs = states.map(async ({ state, prepare }, index) => {
      const key = `export PETSTORE_SANDBOX_KEY=sbx_free_default_state-${index}`
      const lines = [key, prepare, client, report, journal]
      return [state, await run(lines, url, await createProject())] as const
    })
    const shown = new Map(await Promise.all(outputs))
    expect([...shown.keys()]).toEqual(Object.keys(expected))
    for (const [state, output] of shown) {
      expect(output, state).toMatch(expected[state] ?? '')
      expect(output.includes('the client failed'), state).toBe(state === 'lost response')
    }
  })

  test.each([
    ['429', 'retry-after', 'retries at once', ''],
    // Long enough that a busy machine does not make the delays look different.
    ['failures', 'back-off', 'always waits as long', 'await sleep(1_000)'],
  ])(
    'rehearses %s, and the rule %s is broken by a client that %s',
    async (state, rule, _, wait) => {
      const folder = await createProject()
      const client = (await read('examples/agents/client.mjs')).replace(/await sleep\(.*/, wait)
      await writeFile(join(folder, 'client.mjs'), client)
      const { prepare = '' } = states.find((each) => each.state === state) ?? {}
      const report = `if ${assess.split('\n').at(-1)}; then exit 1; fi`
      const output = await run(
        [takeKey, prepare, 'node run.mjs', report],
        await start(serve),
        folder,
      )
      expect(output).toMatch(new RegExp(`^ERROR {2}${rule}:`, 'm'))
    },
  )

  test('has a test that passes', async () => {
    expect(await run([testIt], '', await createProject())).toMatch(/Tests {2}2 passed/)
  })

  test('names no other command that fails', async () => {
    const prepared = states.map(({ prepare }) => prepare)
    const others = readCommands(skill).filter((command) => !prepared.includes(command))
    expect(others).toHaveLength(4)
    const url = await start(serve)
    const output = await run([takeKey, ...others], url, await createProject())
    expect(output).toContain('nearly-limited')
  })
})

describe('the server', () => {
  test('serves the guides of the package, and nothing else of it', async () => {
    const url = await start('npm start')
    const pack = await runFile('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
    })
    const [{ files }] = JSON.parse(pack.stdout) as [{ files: { path: string }[] }]
    const isGuide = (path: string) => /^(?!dist\/).*\.md$|^llms\.txt$|^LICENSE$/.test(path)
    for (const { path } of files) {
      const response = await fetch(`${url}/${path}`)
      if (isGuide(path)) {
        const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain'
        expect(response.headers.get('Content-Type'), path).toBe(`${type}; charset=utf-8`)
        const text = await read(path)
        expect(await response.text()).toBe(text.replaceAll('http://127.0.0.1:4010', url))
      } else {
        expect([path, response.status]).toEqual([path, 404])
        expect(await response.json()).toMatchObject({ code: 'route_not_found' })
      }
    }
  })

  test('serves the target of every link of the guides', async () => {
    const url = await start('npm start')
    const seen = new Set([`${url}/llms.txt`])
    for (const guide of seen) {
      const response = await fetch(guide)
      expect([guide, response.status]).toEqual([guide, 200])
      const text = guide.endsWith('.json') ? '' : await response.text()
      const links = text.matchAll(/\]\((?!https?:)([^)#]+\.(?:md|json)|[./]*LICENSE)(?:#[^)]*)?\)/g)
      for (const [, link = ''] of links) seen.add(new URL(link, guide).href)
    }
    expect(seen.size).toBeGreaterThan(40)
  })

  test('responds with an Error body to other paths and methods', async () => {
    const url = await start('npm start')
    const paths = ['docs', 'docs/', 'docs/none.md', 'docs/architecture.md', 'docs/decisions.md']
    const hidden = ['docs//architecture.md', 'docs/releasing.md', 'docs/recipes//next.md']
    const outside = ['CONTRIBUTING.md', 'docs/%2e%2e/package.json', 'docs/..%2fCONTRIBUTING.md']
    for (const path of [...paths, ...hidden, ...outside]) {
      expect(await readStatus(`${url}/${path}`), path).toEqual([404, 'route_not_found'])
    }
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const found = await readStatus(`${url}/llms.txt`, method)
      expect(found, method).toEqual([405, 'method_not_allowed'])
    }
    const head = await fetch(`${url}/docs/testing.md`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

test('a guide has the URL by which the client reaches the server, and is revalidated', async () => {
  const url = await start('npm start -- --trust-proxy 1 --allowed-hosts sandbox.example')
  const forwarded = {
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'sandbox.example',
    'X-Forwarded-Prefix': '/petstore',
  }
  const read = (headers: object) =>
    fetch(`${url}/llms.txt`, { headers: { ...forwarded, ...headers } })
  const guide = await read({})
  expect(guide.headers.get('Cache-Control')).toBe('no-cache')
  const text = await guide.text()
  expect(text).toContain('export PETSTORE_SANDBOX_URL=https://sandbox.example/petstore`')
  expect(text).not.toContain('127.0.0.1')

  // Without Cache-Control, fetch would send "no-cache" with a condition.
  const condition = { 'If-None-Match': guide.headers.get('ETag'), 'Cache-Control': 'max-age=0' }
  expect((await read(condition)).status).toBe(304)
  // Other conditions and ranges are ignored.
  expect((await read({ 'If-Match': '"other"', Range: 'bytes=999999-' })).status).toBe(200)
})

/** Resolves to the status and the code of an Error body. */
async function readStatus(url: string, method = 'GET'): Promise<unknown[]> {
  const response = await fetch(url, { method })
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

describe('docs/agents.md', () => {
  const [guides = '', example = '', clean = '', ...others] = readShellBlocks(page)

  test('has an example whose output is on the page', async () => {
    expect(others).toEqual([])
    const url = await start('npm start')
    const report = await run(['if (', example, '); then exit 1; fi'], url, root)
    const [, shown = ''] = /^```text\n([\s\S]*?)^```$/m.exec(page) ?? []
    const withoutTimes = (text: string) =>
      text.replaceAll(/\s+/g, ' ').replaceAll(/[\d-]+T[\d:.]+Z|(?<=after )[\d.]+ (?=m?s,)/g, '')
    expect(withoutTimes(report)).toContain(withoutTimes(shown))
    // No client has sent a request since the reset.
    const [key = ''] = example.split('\n')
    const failure: unknown = await run([key, clean], url, root).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('no request') })
    expect(await run(guides.split('\n'), url, root)).toContain('# Integration report')
  })

  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

  test('has a configuration of each agent that starts the MCP server', async () => {
    const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)]
    const servers = blocks.map(([, text = '']) => {
      const { servers, mcpServers = servers } = JSON.parse(text)
      return mcpServers['petstore-sandbox']
    })
    expect(servers).toHaveLength(3)
    for (const { command, args } of servers) {
      const [program, mcp, ...options] = args
      expect([command, program, mcp]).toEqual(['npx', 'petstore-sandbox', 'mcp'])
      const { tools } = await (await openAgent(options)).client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(named.filter((name) => name !== 'verify'))
    }
  })

  test('lists every tool and every option of the MCP server', async () => {
    const { client } = await openAgent(['--verify-url', 'https://api.petstore.example/v1'])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(named)
    const help = await run(['npx petstore-sandbox help mcp'], '', root)
    const options = [...help.matchAll(/^ {2}(--[\w-]+) /gm)].map(([, option]) => option)
    const table = page.slice(page.indexOf('| option |'))
    const listed = [...table.matchAll(/`(--[\w-]+)`/g)].map(([, option]) => option)
    expect(listed).toEqual(options)
  })
})

test('AGENTS.md is short, and names only scripts that exist', async () => {
  const instructions = await read('AGENTS.md')
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await read('package.json'))
  expect(instructions.split('\n').length - 1).toBeLessThanOrEqual(60)
  const named = [...instructions.matchAll(/`npm (?:run )?([\w:-]+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([])
})
