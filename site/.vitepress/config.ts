import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { addSendButtons } from './send-buttons.js'
import { readSidebar } from './sidebar.js'

const root = join(import.meta.dirname, '../..')
const pages = join(import.meta.dirname, '../pages')
const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs']

// VitePress finds its own packages only from pages in this project.
for (const path of documents) {
  rmSync(join(pages, path), { recursive: true, force: true })
  cpSync(join(root, path), join(pages, path), { recursive: true })
}

const config = defineConfig({
  title: 'petstore-sandbox',
  description: 'Mock and sandbox server for the Pet Store Inventory Service',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  // For developers of the package.
  srcExclude: ['docs/{architecture,decisions,releasing}.md'],
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: (heading) => slug(heading) },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: addSendButtons,
  },
  transformPageData(page) {
    if (page.relativePath === 'README.md') page.title = 'Installation and first steps'
  },
  themeConfig: {
    nav: [
      { text: 'Install', link: '/README#install' },
      { text: 'Partners', link: '/docs/partners' },
      { text: 'Front end', link: '/docs/front-end' },
      { text: 'Testing', link: '/docs/testing' },
    ],
    sidebar: [
      {
        items: [
          { text: 'Installation and first steps', link: '/README' },
          { text: 'Storefront and panel', link: '/storefront' },
        ],
      },
      ...readSidebar(join(root, 'README.md')),
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
  // llms.txt and the pages as Markdown, for coding agents.
  buildEnd({ outDir }) {
    for (const path of ['llms.txt', 'LICENSE', 'skills', ...documents]) {
      cpSync(join(root, path), join(outDir, path), { recursive: true, filter: isPublic })
    }
  },
  vite: {
    resolve: { alias: { 'petstore-sandbox': join(root, 'dist/esm/index.js') } },
  },
})

/** Whether a file of the documentation is also in the package. */
function isPublic(path: string): boolean {
  return !/\.png$|(architecture|decisions|releasing)\.md$/.test(path)
}

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default config
