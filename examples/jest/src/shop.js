const url = 'https://api.petstore.example/v1/inventory'

/** Shows the stock in an element, or why it is not available. */
export async function showStock(element, apiKey) {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${apiKey}` } })
  if (response.status === 429) {
    element.textContent = `Please wait for ${response.headers.get('Retry-After')} seconds.`
    return
  }
  if (!response.ok) {
    element.textContent = 'The stock is not available.'
    return
  }
  const items = (await response.json()).map(({ petId, quantity }) => {
    const item = document.createElement('li')
    item.textContent = `Pet ${petId}: ${quantity === 0 ? 'sold out' : quantity}`
    return item
  })
  element.replaceChildren(...items)
}
