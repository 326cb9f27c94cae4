import { handlers } from '#proxy/handlers.ts'
import type { Body } from '#proxy/http/body.ts'
import { Cursors } from '#proxy/http/cursor.ts'
import { FileCache } from '#proxy/http/file-cache.ts'
import { isError, type Context, type Handler } from '#proxy/http/handler.ts'
import { matchPath, splitTarget } from '#proxy/http/match.ts'
import { readParameters } from '#proxy/http/read-parameters.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'

/** Opens the current release of a tree, to be asked in this process. */
export async function openContext(path: string): Promise<Context> {
  const tree = folderTree(path)
  const release = await openRelease(tree, await readCurrent(tree))
  return { release, cursors: new Cursors(Buffer.alloc(32, 1)), files: new FileCache(), siteUrl: null }
}

/** The answer to a request as the proxy makes it, without its cache of answers; null if refused. */
export async function answer(url: string, context: Context): Promise<Body | null> {
  const { path, query } = splitTarget(url)
  const match = matchPath(path)!
  const parameters = readParameters(match, query)
  if ('error' in parameters) return null
  const handler = handlers[match.operation.id] as Handler<unknown>
  const asked = handler.read ? handler.read(parameters.values, context) : parameters.values
  const found = isError(asked as object) ? asked : await handler.answer(asked, context)
  return isError(found as object) ? null : (found as Body)
}
