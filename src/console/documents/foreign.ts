import { type Explanation, explainForeignClass } from '../session/failure.js'

const signIn: Explanation = {
  meaning: 'a reverse proxy requires a sign-in, or denies access',
  advice: 'Sign in at the proxy and reload the page.',
}

/** Explanations of responses that a sandbox does not send, by status. */
const foreignResponses: Readonly<Record<number, Explanation>> = {
  401: signIn,
  403: signIn,
  404: {
    meaning: 'no sandbox is served at this address',
    advice:
      'Check that the reverse proxy forwards every path below the address of this page to the sandbox, without the path prefix.',
  },
  407: signIn,
  413: {
    meaning: 'the body is larger than a reverse proxy accepts',
    advice: 'Let the proxy accept bodies of 8 MiB, for example with client_max_body_size in nginx.',
  },
  429: {
    meaning: 'a reverse proxy limits the number of requests',
    advice: 'This is not a limit of the service. Wait, or raise the limit of the proxy.',
  },
  502: {
    meaning: 'the reverse proxy cannot connect to the sandbox',
    advice: 'Check that the sandbox is running, and that the proxy forwards to its port.',
  },
  503: {
    meaning: 'the reverse proxy has no sandbox to which it can forward the request',
    advice: 'Check that the sandbox is running, and that the proxy is not in maintenance.',
  },
  504: {
    meaning: 'the reverse proxy has waited too long for the sandbox',
    advice: 'Check that the sandbox is running, and that the proxy can reach its port.',
  },
}

/** Explains a response that is not from a sandbox, but for example from a reverse proxy. */
export function explainForeign(status: number): Explanation {
  return foreignResponses[status] ?? explainForeignClass(status)
}
