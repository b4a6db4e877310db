import type { Command } from 'commander'

/** How a command is called, with those above it: `petstore-sandbox world clock`. */
export function toCommandLine(command: Command): string {
  const { parent } = command
  return parent ? `${toCommandLine(parent)} ${command.name()}` : command.name()
}
