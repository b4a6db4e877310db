const url = 'https://api.my-shop.test/v1/inventory'
const button = document.querySelector('button')
const output = document.querySelector('output')

/** Shows the stock, or disables the button for the time that the service demands. */
async function showStock() {
  const response = await fetch(url, { headers: { Authorization: 'Bearer sbx_free' } })
  if (response.status === 429) {
    const seconds = Number(response.headers.get('Retry-After'))
    output.textContent = `Please wait for ${seconds} seconds.`
    button.disabled = true
    setTimeout(enable, seconds * 1000)
    return
  }
  const items = await response.json()
  output.textContent = items.map(({ petId, quantity }) => `Pet ${petId}: ${quantity}`).join(', ')
}

function enable() {
  button.disabled = false
  output.textContent = ''
}

button.addEventListener('click', showStock)
