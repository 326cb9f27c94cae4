import { Readable } from 'node:stream'
import { cdnHeadersPath } from '#release/paths.ts'
import { parseSiteFiles, siteDigest, siteFilesPath, sitePath, type SiteFiles } from '#release/site-files.ts'
import type { Tree } from '#release/tree.ts'
import { isCompressible, mediaType } from '#release/media-types.ts'
import { Followed, type FollowedLog } from '../followed.ts'
import { Body, payloadOf } from '../http/body.ts'
import { PageRenderer } from './page-renderer.ts'

/** A file of the site, ready to be sent. */
export type SiteFile = Awaited<ReturnType<typeof openFile>>

/** A published site, in memory, so that a request is a look-up. */
export interface Site {
  /** The public address for which it was built. */
  url: string
  policy: string
  /** The module that renders pages for a request, and its exports; null if it cannot be run. */
  server: string
  renderer: PageRenderer | null
  /** Keyed by path as in the address: `/`, `/quick-start/`, `/favicon.svg`. */
  files: ReadonlyMap<string, SiteFile>
  /**
   * The hashed files of the previous site, which pages that are open in a browser still request.
   */
  filesBefore: ReadonlyMap<string, SiteFile>
}

/** Returns the file at an address without its query, or undefined. */
export function findFile(site: Site, path: string): SiteFile | undefined {
  return site.files.get(path) ?? site.filesBefore.get(path)
}

/** Follows the developer site of a tree. Its pointer is its list of files, with their digests. */
export function followedSite(tree: Tree, log: FollowedLog): Followed<Site> {
  return new Followed(
    {
      readPointer: async () => (await tree.read(siteFilesPath)).toString(),
      open: (list, before) => openSite(tree, list, before),
      describe: (site) => (site ? 'the developer site' : 'no developer site'),
      isOptional: true,
    },
    log,
  )
}

/** The number of files to read at a time. */
const atATime = 16

/**
 * Reads the whole site of a tree, some megabytes. Every file is compared with its digest in the
 * list, so that a site that is being replaced is never read in part.
 *
 * @throws {MissingFile} the tree has none
 * @throws {Error} a file differs from its digest in the list
 */
async function openSite(tree: Tree, list: string, before: Site | null): Promise<Site> {
  const siteFiles = parseSiteFiles(list)
  const { url, policy, server, files } = siteFiles
  const filesByPath = new Map<string, SiteFile>()
  // `_headers` is for a host of static files.
  const names = Object.keys(files).filter((name) => name !== cdnHeadersPath)
  const read = async (name: string) =>
    void filesByPath.set(
      '/' + name.replace(/(^|\/)index\.html$/, '$1'),
      await openFile(tree, name, siteFiles),
    )
  await Readable.from(names).forEach(read, { concurrency: atATime })
  const filesBefore = new Map([...(before?.files ?? [])].filter(([, file]) => file.isHashed))
  // Most sites differ from the previous one only in their data, so they can share its program.
  const renderer = before?.server === server ? before.renderer : await PageRenderer.load(tree, server)
  return { url, policy, server, renderer, files: filesByPath, filesBefore }
}

async function openFile(tree: Tree, name: string, { files, policy, policies }: SiteFiles) {
  const { digest } = files[name]!
  const bytes = await tree.read(`${sitePath}/${name}`)
  if (siteDigest(bytes) !== digest)
    throw new Error(`"${sitePath}/${name}" does not match the site's list of files`)
  // Example pages are shown as text, because the policy would not let them run here.
  const type = mediaType(name.startsWith('examples/') ? 'example.txt' : name)
  return {
    body: new Body(payloadOf(bytes), digest),
    /** Its `Content-Security-Policy`. */
    policy: policies[name] ?? policy,
    type,
    isCompressible: isCompressible(type),
    /** Whether it is the page for paths that do not exist. */
    isErrorPage: name === '404.html',
    /** Whether its name contains a hash of its content. */
    isHashed: /^(_astro|pagefind\/(fragment|index))\//.test(name),
  }
}
