import { render } from 'preact'
import { App } from './app.js'
import { startMock } from './mock.js'

await startMock()

const root = document.getElementById('app')
if (root) render(<App />, root)
