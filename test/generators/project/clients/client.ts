/** The result of a request. The types of the generators must allow to read both fields. */
export interface Outcome {
  readonly status: number
  readonly body: unknown
}

/** What each generated client must be able to do. */
export interface ServiceClient {
  listInventory(): Promise<Outcome>
  updateInventory(petId: number, quantity: number): Promise<Outcome>
  getPet(petId: number): Promise<Outcome>
  listOrders(): Promise<Outcome>
  sendMessage(message: string): Promise<Outcome>
}

export interface ClientOptions {
  readonly apiKey: string
  /** The server of sendMessage in the document, for clients that do not read it themselves. */
  readonly messagesUrl: string
}
