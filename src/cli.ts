#!/usr/bin/env node
import module from 'node:module'
import type { Output, StopSignal } from './cli/terminal.js'

/** Makes later starts reuse the compiled code. Node.js 20 lacks the function and its type. */
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }

let isStopped = false
void run()

async function run(): Promise<void> {
  enableCompileCache?.()
  const { runCli } = await import('./cli/program.js')
  process.exitCode = await runCli(process.argv.slice(2), {
    env: process.env,
    stdout: ignoreBrokenPipe(process.stdout),
    stderr: ignoreBrokenPipe(process.stderr),
    onStopSignal,
    onUncaughtError,
    createPrivateFiles: () => void process.umask(0o077),
  })
  // A timer of a user's module must not delay the exit after a stop signal.
  if (isStopped) setTimeout(() => process.exit(), 200).unref()
}

/** Ignores EPIPE: a reader such as `head` may close the pipe before the output ends. */
function ignoreBrokenPipe(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1
  })
  return stream
}

function onUncaughtError(listener: (error: unknown) => void): void {
  process.on('uncaughtException', listener)
  process.on('unhandledRejection', listener)
}

/** A second signal exits immediately, with the exit code that shells use for the signal. */
function onStopSignal(listener: (signal: StopSignal) => void): void {
  const stop = (signal: StopSignal) => {
    if (isStopped) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopped = true
    listener(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
