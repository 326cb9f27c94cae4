import { siteFilesPath } from '#release/site-files.ts'
import type { Tree } from '#release/tree.ts'
import { Followed, type FollowedLog } from '../followed.ts'
import { openSite, type Site } from './site.ts'

/**
 * The developer site of a tree. Its pointer is its list of files: a site of other files has another
 * list.
 */
export function followedSite(tree: Tree, log: FollowedLog): Followed<Site> {
  return new Followed(
    {
      readPointer: async () => (await tree.read(siteFilesPath)).toString(),
      open: (list, before) => openSite(tree, list, before),
      describe: () => 'the developer site',
      kind: 'developer site',
      isOptional: true,
    },
    log,
  )
}
