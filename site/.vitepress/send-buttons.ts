import type { MarkdownRenderer } from 'vitepress'
import { readCurlCommands } from './curl.js'

/**
 * Adds a button to each block of code that consists of requests to the sandbox: curl commands, or a
 * call of `fetch` to the addresses of the service.
 */
export function addSendButtons(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, options, env, renderer) => {
    const html = fence?.(tokens, index, options, env, renderer) ?? ''
    const { info = '', content = '' } = tokens[index] ?? {}
    const [language] = info.split(' ')
    const example =
      language === 'sh'
        ? { requests: readCurlCommands(content) }
        : language === 'js' && content.startsWith("await fetch('https://api.petstore.example/")
          ? { script: content }
          : undefined
    if (!example || example.requests?.length === 0) return html
    const json = markdown.utils.escapeHtml(JSON.stringify(example))
    return `<SendExample v-bind="${json}">${html}</SendExample>`
  }
}
