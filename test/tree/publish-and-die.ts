/** Publishes a tree and dies in the middle: `node publish-and-die.ts OUT TARGET WRITES`. */
import { folderTarget } from '#tree/publish/folder-target.ts'
import { publish } from '#tree/publish/publish.ts'

const [outFolder, to, writes] = process.argv.slice(2) as [string, string, string]
const target = folderTarget(to, false)
let left = Number(writes)
await publish({
  outFolder,
  isDeleting: false,
  target: {
    ...target,
    async write(path, bytes, headers) {
      if (left-- === 0) process.kill(process.pid, 'SIGKILL')
      await target.write(path, bytes, headers)
    },
  },
})
