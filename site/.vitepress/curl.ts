import { parse } from 'shell-quote'

/** A request that a curl command sends. */
export interface ExampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  /** Whether the command prints the headers of the response. */
  readonly include: boolean
}

/** The addresses at which a sandbox responds without a server. */
const addresses = /^http:\/\/127\.0\.0\.1:4010\/(v1|staging|quickstart|sandbox)(\/|$)/

/**
 * Returns the requests of a block of shell commands. Returns none if the block contains anything but
 * assignments and curl commands, an unknown variable, or an address that only a server has.
 */
export function readCurlCommands(block: string): ExampleRequest[] {
  const variables = new Map<string, string>()
  const requests: ExampleRequest[] = []
  for (const line of block.trim().replaceAll('\\\n', '').split('\n')) {
    const words = readWords(line, variables)
    const [, name, value] = words?.[0]?.match(/^(\w+)=(.*)$/) ?? []
    if (words?.length === 1 && name !== undefined && value !== undefined) {
      variables.set(name, value)
      continue
    }
    const request = words?.[0] === 'curl' ? readCurl(words.slice(1)) : undefined
    if (!request || !addresses.test(request.url)) return []
    requests.push(request)
  }
  return requests
}

/** Returns the words of a command. Undefined if the command has operators or unknown variables. */
function readWords(line: string, variables: ReadonlyMap<string, string>): string[] | undefined {
  let isComplete = true
  const words = parse(line, (name) => {
    const value = variables.get(name)
    isComplete &&= value !== undefined
    return value ?? ''
  })
  const isText = words.every((word) => typeof word === 'string')
  return isText && isComplete ? (words as string[]) : undefined
}

/** Returns the request of the arguments of curl. Undefined if an option is unknown. */
function readCurl(words: readonly string[]): ExampleRequest | undefined {
  const headers: [string, string][] = []
  let method: string | undefined
  let url: string | undefined
  let body: string | undefined
  let include = false
  const rest = words.values()
  for (const word of rest) {
    if (word === '-i') include = true
    else if (!word.startsWith('-')) url = word
    else {
      const value = rest.next().value ?? ''
      if (word === '-H') headers.push(value.split(/: (.*)/, 2) as [string, string])
      else if (word === '-X') method = value
      else if (word === '-d') body = value
      else return
    }
  }
  if (url === undefined) return
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, headers, body, include }
}
