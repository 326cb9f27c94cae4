import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newSiteFiles, siteDigest } from '#release/site-files.ts'
import type { ServiceOptions } from '../../harness/service.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

export const sitePage = '<!doctype html><h1>Hello</h1>' + '<p>again and again</p>'.repeat(100)

/** The address for which the site was built. */
export const siteUrl = 'https://clips.example'

export const siteFiles: Record<string, string> = {
  'index.html': sitePage,
  'quick-start/index.html': sitePage,
  '404.html': '<h1>404</h1>',
  'signup/closed/index.html': '<h1>Closed</h1>',
  'key/closed/index.html': '<h1>Closed</h1>',
  '_astro/app.abc123.js': 'export {}',
  'favicon.svg': '<svg/>',
  _headers: '/*\n  X-Robots-Tag: all\n',
}

const server = '.build/site-server/of-tests/entry.mjs'

/** Renders like the server part of a site, but only shows the values, once it may. */
const program = `
const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
export async function handler(req, res, next, { page }) {
  res.on('close', () => (globalThis.closedRenderings = (globalThis.closedRenderings ?? 0) + 1))
  await globalThis.mayRender
  res.writeHead(200)
  res.write('<h1>' + req.url + '</h1>' + escape(JSON.stringify(page)))
  res.end()
}
`

/** Lets the program render nothing until the returned function is called, or the test ends. */
export function holdRenderings(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.assign(globalThis, { mayRender: promise })
  onTestFinished(() => resolve())
  return resolve
}

/** Returns the number of pages that the program has rendered. */
export const renderings = () => (globalThis as { closedRenderings?: number }).closedRenderings ?? 0

/** Writes a site as a build would; `wrong` is a file whose bytes do not match the list. */
export async function writeSite(folder: string, contents = siteFiles, wrong?: string): Promise<void> {
  const listed: Record<string, { digest: string; sizeBytes: number }> = {}
  for (const [name, text] of Object.entries(contents)) {
    const path = join(folder, 'dist', 'site', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, name === wrong ? `${text}!` : text)
    listed[name] = { digest: siteDigest(Buffer.from(text)), sizeBytes: text.length }
  }
  const list = newSiteFiles({
    release: 'r',
    url: siteUrl,
    source: siteDigest(Buffer.from(JSON.stringify(contents))),
    policy: `default-src 'self'`,
    policies: { 'console/index.html': `frame-src 'self'` },
    server,
    files: listed,
  })
  await mkdir(dirname(join(folder, 'dist', server)), { recursive: true })
  await writeFile(join(folder, 'dist', server), program)
  await writeFile(join(folder, 'dist', 'site', 'files.json'), JSON.stringify(list))
}

/** Starts the service on the small corpus, with a site. */
export async function startServiceWithSite(options: Partial<ServiceOptions> = {}): Promise<SmallService> {
  const service = await startSmallService(options)
  await writeSite(service.folder)
  await service.refresh()
  return service
}
