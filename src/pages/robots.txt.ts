import type { APIRoute } from 'astro'
import { basePath } from '#contract/operations.ts'
import { siteInput } from '#site/site-input.ts'

/** What crawlers may read (RFC 9309): the pages, not the API. */
export const GET: APIRoute = () =>
  new Response(`User-agent: *
Disallow: ${basePath}/
Sitemap: ${new URL('/sitemap-index.xml', siteInput().siteUrl).href}
`)
