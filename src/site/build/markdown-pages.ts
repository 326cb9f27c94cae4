import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { escapeUTF8 } from 'entities/escape'
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/**
 * Writes a Markdown version of each page next to it, such as `/guides/feed.md` for `/guides/feed/`,
 * and all pages for API users as `llms-full.txt` (https://llmstxt.org).
 */
export async function writeMarkdown(clientFolder: string, pages: ReadonlyMap<string, string>): Promise<void> {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  turndown.use(gfm).remove(['script', 'style', 'button', 'noscript'])
  const texts = new Map<string, string>()
  for (const [name, html] of pages) {
    const content = /<div class="sl-markdown-content">([\s\S]*)<\/main>/.exec(html)?.[1]
    if (content === undefined || !name.endsWith('index.html')) continue
    const title = decodeHTML(/<title>(.*?)(?: \| Clip Lookup)?<\/title>/.exec(html)![1]!)
    const about = decodeHTML(/<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '')
    const text = `# ${title}\n\n${about === '' ? '' : `> ${about}\n\n`}${turndown.turndown(withoutFrames(content))}\n`
    const path = name.replace(/\/?index\.html$/, '') || 'index'
    texts.set(path, text)
    await mkdir(dirname(join(clientFolder, path)), { recursive: true })
    await writeFile(join(clientFolder, `${path}.md`), text)
  }
  const forUsers = [...texts].filter(([path]) => !/^(operate|design|decisions|signup|key)\b/.test(path))
  await writeFile(join(clientFolder, 'llms-full.txt'), forUsers.map(([, text]) => text).join('\n---\n\n'))
}

/**
 * Replaces code frames by plain code blocks and pictures by their descriptions, and removes tabs,
 * footers and links to headings.
 */
function withoutFrames(html: string): string {
  const frame =
    /<div class="expressive-code">[\s\S]*?<pre data-language="(\w+)"[\s\S]*?data-code="([^"]*)"[\s\S]*?<\/figure><\/div>/g
  return html
    .replace(frame, (_, language: string, code: string) => {
      const text = decodeHTMLAttribute(code).replaceAll('\u007f', '\n')
      return `<pre><code class="language-${language}">${escapeUTF8(text)}</code></pre>`
    })
    .replace(/<ul role="tablist"[\s\S]*?<\/ul>/g, '')
    .replace(/<a class="sl-anchor-link"[\s\S]*?<\/a>/g, '')
    .replace(/<svg\b([^>]*)>[\s\S]*?<\/svg>/g, (_, attributes: string) => {
      const label = / role="img" aria-label="([^"]*)"/.exec(attributes)?.[1]
      return label === undefined ? '' : `<p>Picture: ${label}</p>`
    })
    .replace(/<footer[\s\S]*?<\/footer>/g, '')
}
