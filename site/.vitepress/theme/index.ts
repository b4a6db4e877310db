import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { SendExample } from './send-example.js'
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('SendExample', SendExample)
  },
}

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default theme
