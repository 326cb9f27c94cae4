import { nameRelease } from '#tree/name-release.ts'
import type { FileFault } from '#tree/checked-files.ts'
import { verifyRelease } from '#tree/verify.ts'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import type { Command } from '../command-line.ts'
import { onTree, treeOptions } from './tree-options.ts'

export const verifyTree: Command = {
  options: {
    ...treeOptions,
    release: { value: 'ID', description: 'the release to check; without it, the one in service' },
  },
  async run(input) {
    const faults: FileFault[] = []
    const onFault = (fault: FileFault) => {
      input.progress('')
      if (input.switches.json) faults.push(fault)
      else input.print(fault, `${fault.path}: wanted ${fault.wanted}, received ${fault.received}`)
    }
    const onProgress = (done: number, total: number) => input.progress(`${done} of ${total} files`)
    const named = input.values.release
    const verified = await onTree(input, async (outFolder) => {
      const release =
        named === undefined ? await readCurrent(folderTree(outFolder)) : await nameRelease(outFolder, named)
      return await verifyRelease(outFolder, release, { onFault, onProgress })
    })
    input.progress('')
    const { release, files, bytes } = verified
    const found =
      verified.faults === 0 ? 'no faults' : `${verified.faults} ${verified.faults === 1 ? 'fault' : 'faults'}`
    input.print(
      { release, files, bytes, faults },
      `release ${release}: ${files} files, ${bytes} bytes, ${found}`,
    )
    return verified.faults === 0 ? 0 : 1
  },
}
