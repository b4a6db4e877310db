const baseUrl = import.meta.env.VITE_PETSTORE_URL ?? 'https://api.petstore.example/v1'

const response = await fetch(`${baseUrl}/inventory`, {
  headers: { Authorization: 'Bearer sbx_free' },
})
for (const { petId, quantity } of await response.json()) {
  const item = document.createElement('li')
  item.textContent = `${petId}: ${quantity}`
  document.querySelector('#inventory')?.append(item)
}
