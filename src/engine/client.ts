/** The client of a request over HTTP: all requests from one network address. */
export interface Client {
  /** IP address, or the /64 network of an IPv6 address. */
  readonly address: string
  /** Whether the server accepts connections from this machine only. */
  readonly isLocal: boolean
  /** Size of the worlds that the client created, in bytes. */
  worldBytes: number
  /** Maximum size of the worlds that the client created, in bytes. */
  readonly worldLimit: number
  /**
   * Charges a new world to the client.
   *
   * @throws {Problem} sandbox_capacity
   */
  chargeWorld(): void
  /**
   * Charges a control request to the client.
   *
   * @throws {Problem} sandbox_capacity
   */
  chargeControlRequest(): void
  /**
   * Resolves when a request of the client that may take long can be executed: some turns of the event
   * loop after the previous one, so that many of them do not delay other clients.
   */
  takeTurn(): Promise<void>
  /**
   * Prepares a scenario, a report or a snapshot when the turn of the client has come.
   *
   * @throws {Problem} sandbox_capacity, as a rejection.
   */
  prepare<T>(task: () => Promise<T>): Promise<T>
  /**
   * Opens an event stream. Returns a function that closes it.
   *
   * @throws {Problem} sandbox_capacity
   */
  openStream(): () => void
}
