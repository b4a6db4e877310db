if (process.env.NODE_ENV !== 'production') {
  const { startMock } = await import('./mock.js')
  await startMock()
}

document.body.textContent = 'Shop'
