const isMocked = process.env.NODE_ENV !== 'production'

if (isMocked) {
  const { startMock } = await import('./mock.js')
  await startMock()
}

document.body.textContent = 'Shop'
