import { render } from 'preact'
import { App } from './app.js'

const container = document.getElementById('console')
if (container) render(<App />, container)
