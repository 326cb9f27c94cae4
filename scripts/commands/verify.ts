import { countText } from '#kit/count-text.ts'
import { nameRelease } from '#tree/releases.ts'
import { verifyRelease, type FileFault } from '#tree/verify.ts'
import { readCurrent } from '#release/release.ts'
import { isHttpAddress, openTree } from '#release/origin/open-tree.ts'
import { orUsageError, type Input } from '../command-line.ts'

async function verifyTree(input: Input): Promise<number> {
  const { values, switches } = input
  const location = values.data ?? values.out!
  const isOrigin = isHttpAddress(location)
  const place = isOrigin ? location : input.path(location)
  const tree = orUsageError(() =>
    openTree(place, {
      token: values['data-token'],
      cacheFolder: null,
      followEveryMs: 0,
      isInsecureAllowed: switches['insecure-origin'] ?? false,
    }),
  )
  const idOrNumber = values.release
  const faults: FileFault[] = []
  const onFault = (fault: FileFault) => {
    input.progress('')
    if (switches.json) faults.push(fault)
    else input.print(fault, `${fault.path}: wanted ${fault.wanted}, received ${fault.received}`)
  }
  const onProgress = (doneCount: number, total: number) => input.progress(`${doneCount} of ${total} files`)
  // An origin does not list its releases.
  const releaseId = idOrNumber === undefined || isOrigin ? idOrNumber : await nameRelease(place, idOrNumber)
  const id = releaseId ?? (await readCurrent(tree))
  const { release, files, bytes, ...checks } = await verifyRelease(tree, id, { onFault, onProgress })
  input.progress('')
  const summary = checks.faults === 0 ? 'no faults' : countText(checks.faults, 'fault')
  const data = { release, files, bytes, faults }
  input.print(data, `release ${release}: ${countText(files, 'file')}, ${bytes} bytes, ${summary}`)
  return checks.faults === 0 ? 0 : 1
}

export const commands = { verify: verifyTree }
