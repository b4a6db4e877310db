async function prepare() {
  if (process.env.NODE_ENV === 'production') return
  const { startMock } = await import('./mock.js')
  await startMock()
}

await prepare()
document.body.textContent = 'Shop'
