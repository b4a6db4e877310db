import { readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

/** Returns the links of the section "Documentation" of the README, in its groups. */
export function readSidebar(readme: string): DefaultTheme.SidebarItem[] {
  const [, section = ''] = readFileSync(readme, 'utf8').split('\n## Documentation\n')
  const groups = section.split('\n## ')[0]?.matchAll(/^- (.+?): (.+)$/gm) ?? []
  return [...groups].map(([, text = '', links = '']) => ({
    text,
    items: [...links.matchAll(/\[(.+?)\]\(\.(.+?)\.md\)/g)].map(([, name = '', link = '']) => ({
      text: name[0]?.toUpperCase() + name.slice(1),
      link,
    })),
  }))
}
