import { startMock } from './mock.js'

if (process.env.NODE_ENV !== 'production') await startMock()

document.body.textContent = 'Shop'
