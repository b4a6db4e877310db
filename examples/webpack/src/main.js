const response = await fetch('/petstore/v1/inventory', {
  headers: { Authorization: 'Bearer sbx_free' },
})
document.body.textContent = JSON.stringify(await response.json())
