/** The service in a thread of its own: what it costs is counted apart from its clients. */
import { Cursors } from '#proxy/http/cursor.ts'
import { folderTree, type Tree } from '#release/tree.ts'
import { startService, type Service } from '../harness/service.ts'
import { serveSubjects } from './serve-subjects.ts'

let service: Service | undefined

export const serviceSubjects = {
  /**
   * Starts the service on the tree of a folder. Files in `instead` come in the place of those of
   * their paths and pass for the right ones, whatever their digests are. Of one that is running,
   * this is the next.
   */
  async start(folder: string, instead: ReadonlyMap<string, Uint8Array> = new Map()) {
    await service?.stop()
    service = await startService({ folder, tree: altered(folderTree(`${folder}/dist`), instead) })
    return { origin: service.origin, key: await service.newKey(), errors: service.errors }
  },

  /** What was logged as an error since the start. */
  errors: () => service!.errors,

  /** The processor time of the thread, in milliseconds. */
  cpuMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },

  /** A cursor that the service has signed. */
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
