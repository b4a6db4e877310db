/** Where text goes: a stream of the process, or of a test. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** Characters in a line, on a terminal. */
  readonly columns?: number
  /** False once nobody reads any more, as after `head`. */
  readonly writable?: boolean
}

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** What a command gets from the process around it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** Calls the listener with each signal to stop. Returns a function that ends this. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}
