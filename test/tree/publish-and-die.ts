/** Publishes a tree and dies in the middle: `node publish-and-die.ts OUT TARGET WRITES`. */
import { FolderTarget } from '#tree/publish/folder-target.ts'
import { publish } from '#tree/publish/publish.ts'

const [outFolder, to, writes] = process.argv.slice(2) as [string, string, string]
let left = Number(writes)

class DyingTarget extends FolderTarget {
  override async write(path: string, bytes: Uint8Array): Promise<void> {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL')
    await super.write(path, bytes)
  }
}

await publish({ outFolder, isDeleting: false, target: new DyingTarget(to, false) })
