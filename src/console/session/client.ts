import {
  ControlClient,
  type ControlResponse,
  type RemoteFetch,
  type SentInput,
} from '../../control/client/client.js'
import type { ControlOperationId, ControlResult } from '../../control/operations.js'
import type { Environment } from '../../service/addresses.js'
import { describeFailure } from './failure.js'

/** Selects the world that the page shows: its key and its environment. */
export interface Access {
  readonly apiKey: string
  readonly environment: Environment
  /** Token that the sandbox requires for control requests. Absent if the user has entered none. */
  readonly token?: string | undefined
}

/** Where the control API is. */
export interface ControlPlace {
  /** Base URL of its paths by environment, without a trailing slash. */
  readonly controlUrls: Readonly<Record<Environment, string>>
}

/** Sends the control requests of the page. */
export class PageClient extends ControlClient {
  /** The latest generation of the world that a request of this client started. */
  startedGeneration: number | undefined
  /** Whether a request may be starting a generation now. */
  isStarting = false

  constructor(place: ControlPlace, { apiKey, token, environment }: Access, fetch?: RemoteFetch) {
    super({
      controlUrl: place.controlUrls[environment],
      apiKey,
      token,
      fetch,
      // Data is loaded by one request at a time, which a lost connection must not block.
      timeoutMs: 30_000,
      describe: describeFailure,
    })
  }

  override async request<Id extends ControlOperationId>(
    id: Id,
    input?: SentInput<Id>,
  ): Promise<ControlResponse<ControlResult<Id>>> {
    if (id !== 'putScenario' && id !== 'resetWorld') return super.request(id, input)
    this.isStarting = true
    try {
      const response = await super.request(id, input)
      this.startedGeneration = response.generation
      return response
    } finally {
      this.isStarting = false
    }
  }
}
