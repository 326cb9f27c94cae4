import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { currentPath } from '#release/paths.ts'
import { MissingFile, type Tree } from '#release/tree.ts'
import { Followed, type FollowedLog } from './followed.ts'

/** The release that `current.json` names. */
export function followedRelease(tree: Tree, log: FollowedLog): Followed<Release> {
  return new Followed(
    {
      readPointer: () => readPointer(tree),
      open: (release) => openRelease(tree, release),
      describe: ({ manifest }) => `release ${manifest.release}`,
      kind: 'release',
    },
    log,
  )
}

async function readPointer(tree: Tree): Promise<string> {
  try {
    return await readCurrent(tree)
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error
    throw new MissingFile(currentPath, `no release is published in "${tree.location}"`)
  }
}
