import { nameRelease } from '#tree/name-release.ts'
import { verifyRelease, type FileFault } from '#tree/verify.ts'
import { readCurrent } from '#release/release.ts'
import { isHttpAddress, openTree } from '#release/origin/open-tree.ts'
import { folderTree, type Tree } from '#release/tree.ts'
import { orUsageError, type Input } from '../command-line.ts'
import { onTree } from './on-tree.ts'

/**
 * The tree at an origin, of which nothing is cached. @throws {UsageError} it cannot be read from
 */
function openOrigin({ values, switches }: Input, data: string): Tree {
  return orUsageError(() =>
    openTree(data, {
      token: values['data-token'],
      cacheFolder: null,
      followEveryMs: 0,
      isInsecureAllowed: switches['insecure-origin'] ?? false,
    }),
  )
}

async function verifyTree(input: Input): Promise<number> {
  const faults: FileFault[] = []
  const onFault = (fault: FileFault) => {
    input.progress('')
    if (input.switches.json) faults.push(fault)
    else input.print(fault, `${fault.path}: wanted ${fault.wanted}, received ${fault.received}`)
  }
  const onProgress = (done: number, total: number) => input.progress(`${done} of ${total} files`)
  const named = input.values.release
  const { data } = input.values
  const verified = await onTree(input, async (outFolder) => {
    const folder = data === undefined || isHttpAddress(data) ? outFolder : input.path(data)
    const origin = data !== undefined && isHttpAddress(data) ? openOrigin(input, data) : null
    const tree = origin ?? folderTree(folder)
    // An origin does not list its releases.
    const release =
      named === undefined ? await readCurrent(tree) : origin ? named : await nameRelease(folder, named)
    return await verifyRelease(tree, release, { onFault, onProgress })
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
}

export const commands = { verify: verifyTree }
