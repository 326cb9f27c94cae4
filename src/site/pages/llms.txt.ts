import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import { basePath, operations } from '#contract/operations.ts'
import { siteInput } from '#site/build/site-input.ts'

/** Returns the index of the site for language models (https://llmstxt.org). */
export const GET: APIRoute = async () => {
  const { siteUrl } = siteInput()
  const pages = (await getCollection('docs')).filter(({ id }) => !['', 'index', '404'].includes(id))
  const link = (id: string, title: string, description = '') =>
    `- [${title}](${new URL(`/${id}.md`, siteUrl).href})${description ? `: ${description}` : ''}`
  const under = (folder: string) => pages.filter(({ id }) => id.startsWith(`${folder}/`))
  const list = (entries: typeof pages) =>
    entries.map(({ id, data }) => link(id, data.title, data.description)).join('\n')
  const text = `# Clip Lookup

> A read-only JSON API for short language-learning video clips (up to 180 s) and the words spoken in them. The base URL is ${new URL(basePath, siteUrl).href}. All operations use GET. Send the key as \`Authorization: Bearer <API_KEY>\`. The API returns only metadata. The video plays in the video platform's player, which the caller embeds next to a link to \`watchUrl\` as attribution.

OpenAPI 3.1 document: ${new URL(`${basePath}/openapi.json`, siteUrl).href}

All pages for users of the API in one file: ${new URL('/llms-full.txt', siteUrl).href}

## Operations

${operations.map(({ id, path, summary, description }) => link(`reference/operations/${id.toLowerCase()}`, `GET ${basePath}${path}`, `${summary}. ${description}`)).join('\n')}

## Start

${list(pages.filter(({ id }) => !id.includes('/')))}

## Guides

${list(under('guides'))}

## Optional

${list([...under('operate'), ...under('design'), ...under('decisions')])}
`
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
