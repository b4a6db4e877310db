import { isMocked } from './environment.js'

if (isMocked) {
  const { startMock } = await import('./mock.js')
  await startMock()
}

document.body.textContent = 'Shop'
