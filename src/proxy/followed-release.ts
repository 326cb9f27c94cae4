import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { currentPath } from '#release/paths.ts'
import { MissingFile, type Tree } from '#release/tree.ts'
import { Followed, type FollowedLog } from './followed.ts'

/** The release that `current.json` names. */
export function followedRelease(tree: Tree, log: FollowedLog): Followed<Release> {
  return new Followed(
    {
      readPointer: () =>
        readCurrent(tree).catch((error: unknown) => {
          if (!(error instanceof MissingFile)) throw error
          throw new MissingFile(currentPath, `no release is published in "${tree.location}"`)
        }),
      open: (release) => openRelease(tree, release),
      describe: ({ manifest }) => `release ${manifest.release}`,
      kind: 'release',
    },
    log,
  )
}
