/** Runs the service in its own thread, so that its cost is counted separately from its clients. */
import { Cursors } from '#proxy/http/cursor.ts'
import { folderTree, type Tree } from '#release/tree.ts'
import { startService, type Service } from '../harness/service.ts'
import { serveSubjects } from './serve-subjects.ts'

let service: Service | undefined

export const serviceSubjects = {
  /**
   * Starts the service on the tree of a folder. Files in `instead` replace those at their paths,
   * and are accepted with any digest. If a service is running, it is replaced.
   */
  async start(folder: string, instead: ReadonlyMap<string, Uint8Array> = new Map()) {
    await service?.stop()
    service = await startService({ folder, tree: altered(folderTree(`${folder}/dist`), instead) })
    return { origin: service.origin, key: await service.newKey(), errors: service.errors }
  },

  /** The errors that were logged since the start. */
  errors: () => service!.errors,

  /** Returns the processor time of the thread, in milliseconds. */
  cpuMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },

  /** Returns a cursor that the service has signed. */
  async sealCursor(scope: string, fields: string[]) {
    return new Cursors().use(await service!.store.directory.cursorSecret()).seal(scope, fields)
  },

  async stop() {
    await service?.stop()
    service = undefined
  },
}

function altered(tree: Tree, instead: ReadonlyMap<string, Uint8Array>): Tree {
  if (instead.size === 0) return tree
  const bytesOf = (path: string) => {
    const bytes = instead.get(path)
    return bytes && Buffer.from(bytes)
  }
  return {
    ...tree,
    read: async (path) => bytesOf(path) ?? (await tree.read(path)),
    readChecked: async (path, isRight, client) =>
      bytesOf(path) ?? (await tree.readChecked(path, isRight, client)),
    readTemporarily: (path, isRight) => bytesOf(path) ?? tree.readTemporarily!(path, isRight),
    readDigested: async (path, expected) => {
      const bytes = instead.get(path)
      return bytes ? { bytes: new Uint8Array(bytes), digest: expected! } : await tree.readDigested(path)
    },
  }
}

serveSubjects(serviceSubjects)
