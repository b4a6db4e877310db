import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** What answers beside the addresses of the sandbox. */
export interface RestParts {
  /** Files that are served as they are; its `index.html` is the console. */
  readonly consoleDirectory: URL
  readonly isClosing: () => boolean
  readonly reportError: (error: unknown) => void
  /** Whether a page of any origin may send whatever it likes: to handlers that a user added. */
  readonly allowsAnyPage: boolean
}

/** Answers what is below no address, with Express, which is loaded when it is first needed. */
export function createRest(
  parts: RestParts,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  let app: Promise<RequestListener> | undefined
  return async (req, res) => {
    app ??= import('./pages.js').then(({ createExpressApp }) => createExpressApp(parts))
    const listener = await app
    listener(req, res)
  }
}
