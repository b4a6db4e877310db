import { render } from 'preact'
import { App } from './app.js'
import { startMock } from './mock.js'

const world = await startMock()

const root = document.getElementById('app')
if (root) render(<App world={world} />, root)
