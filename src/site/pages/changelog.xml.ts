import { getEntry } from 'astro:content'
import type { APIRoute } from 'astro'
import { escapeUTF8 } from 'entities/escape'
import { siteInput } from '#site/build/site-input.ts'

/** Returns the changelog as RSS 2.0 (https://www.rssboard.org/rss-specification). */
export const GET: APIRoute = async () => {
  const page = new URL('/changelog/', siteInput().siteUrl).href
  const { body = '' } = (await getEntry('docs', 'changelog'))!
  const versions = [...body.matchAll(/^## (\S+) \((\d{4}-\d\d-\d\d)\)\n+([\s\S]*?)(?=\n## |$(?![\s\S]))/gm)]
  const items = versions.map(
    ([, version, date, text]) => `<item>
<title>Version ${version}</title>
<link>${page}</link>
<guid isPermaLink="false">${page}#${version}</guid>
<pubDate>${new Date(date!).toUTCString()}</pubDate>
<description>${escapeUTF8(text!.trim())}</description>
</item>`,
  )
  const feed = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel>
<title>Clip Lookup API changelog</title>
<link>${page}</link>
<description>What changed in the API.</description>
${items.join('\n')}
</channel></rss>
`
  return new Response(feed, { headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' } })
}
