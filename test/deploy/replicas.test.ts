import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../support/program.js'
import { requireProgram, root, runFile } from './support/programs.js'

beforeAll(async () => {
  for (const name of ['nginx', 'redis-server', 'curl']) await requireProgram(name)
})

test('npm run example:replicas prints curl commands that work, and stops everything on Ctrl+C', async () => {
  const program = startProgram([process.execPath, 'examples/replicas/run.js'], { cwd: root })
  onTestFinished(() => program.end('SIGTERM'))
  await program.read(/Stop {10}Ctrl\+C/)
  const { stdout: written } = program.written
  const commands = [...written.matchAll(/^ {2}(curl .*)$/gm)].map(([, command = '']) => command)
  const outputs = []
  for (const command of commands.filter((line) => !line.includes('/events'))) {
    const { stdout } = await runFile('bash', ['-c', `${command} --silent --fail`])
    outputs.push(stdout)
  }
  const [changed = '', inventory = '', pet = '', requests = ''] = outputs
  expect(JSON.parse(changed)).toMatchObject({ petId: 7, quantity: 5 })
  expect(JSON.parse(inventory)).toContainEqual(expect.objectContaining({ petId: 7, quantity: 5 }))
  expect(pet).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*X-RateLimit-Remaining: 57\r\n/)
  expect(JSON.parse(requests)).toHaveLength(3)

  program.child.kill('SIGINT')
  expect(await program.ended).toEqual([0, null])
  const ports = [...written.matchAll(/\b(\d{4,5})\b/g)].map(([, port = '']) => port)
  for (const port of ports) {
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  }
})
