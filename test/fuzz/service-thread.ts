/** Runs the service in its own thread, so that its cost is counted separately from its clients. */
import { Cursors } from '#proxy/http/cursor.ts'
import { DigestedFile, type DiskRanges } from '#release/digested-file.ts'
import { FolderTree } from '#release/tree.ts'
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
    service = await startService({ folder, tree: new AlteredTree(`${folder}/dist`, instead) })
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

/** A tree in which other bytes replace those of some files. */
class AlteredTree extends FolderTree {
  readonly #bytesByPath: ReadonlyMap<string, Uint8Array>

  constructor(folder: string, bytesByPath: ReadonlyMap<string, Uint8Array>) {
    super(folder)
    this.#bytesByPath = bytesByPath
  }

  override async read(path: string): Promise<Buffer> {
    return this.#bytesOf(path) ?? (await super.read(path))
  }

  override async readChecked(path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer> {
    return this.#bytesOf(path) ?? (await super.readChecked(path, isRight))
  }

  override readTemporarily(path: string, isRight: (bytes: Uint8Array) => boolean): Buffer {
    return this.#bytesOf(path) ?? super.readTemporarily(path, isRight)
  }

  override async openDigested(path: string, digest?: string, diskRanges?: DiskRanges): Promise<DigestedFile> {
    const bytes = this.#bytesByPath.get(path)
    if (!bytes) return await super.openDigested(path, digest, diskRanges)
    return DigestedFile.inMemory({ bytes: new Uint8Array(bytes), digest: digest! })
  }

  #bytesOf(path: string): Buffer | undefined {
    const bytes = this.#bytesByPath.get(path)
    return bytes && Buffer.from(bytes)
  }
}

serveSubjects(serviceSubjects)
