const url = 'https://api.petstore.example/v1/inventory'

interface Item {
  readonly petId: number
  readonly quantity: number
}

/** `<stock-list api-key="…">` shows the stock, and offers to try again when it is not available. */
export class StockList extends HTMLElement {
  connectedCallback(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    this.textContent = 'Loading …'
    const headers = { Authorization: `Bearer ${this.getAttribute('api-key')}` }
    const response = await fetch(url, { headers })
    if (response.ok) this.#showItems(await response.json())
    else if (response.status === 429) this.#showLimit(response.headers.get('Retry-After') ?? '')
    else this.#showNotice('The stock is not available.')
  }

  #showItems(items: readonly Item[]): void {
    const list = document.createElement('ul')
    for (const { petId, quantity } of items) {
      const item = document.createElement('li')
      item.textContent = `Pet ${petId}: ${quantity === 0 ? 'sold out' : quantity}`
      list.append(item)
    }
    this.replaceChildren(list)
  }

  #showLimit(seconds: string): void {
    this.#showNotice(`Please wait for ${seconds} seconds.`)
  }

  #showNotice(text: string): void {
    const notice = document.createElement('p')
    notice.role = 'alert'
    notice.textContent = text
    const retry = document.createElement('button')
    retry.textContent = 'Try again'
    retry.addEventListener('click', () => void this.#load())
    this.replaceChildren(notice, retry)
  }
}

customElements.define('stock-list', StockList)
