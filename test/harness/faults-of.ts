import { readCurrent } from '#release/release.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'
import { verifyRelease, type FileFault } from '#tree/verify.ts'

/** Returns the faults in the files of a release, by default the one in service. */
export async function faultsOf(dist: string, release?: string): Promise<FileFault[]> {
  const tree = new FolderTree(dist)
  const faults: FileFault[] = []
  try {
    const options = { onFault: (fault: FileFault) => void faults.push(fault), onProgress: () => {} }
    await verifyRelease(tree, release ?? (await readCurrent(tree)), options)
  } catch (error) {
    if (release !== undefined || !(error instanceof MissingFile)) throw error
  }
  return faults
}
