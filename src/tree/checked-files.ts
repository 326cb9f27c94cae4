import { shortDigest } from '#kit/digest.ts'
import { MissingFile, TreeFault, UnreadableFile, type Tree } from '#release/tree.ts'

/** A damaged or missing file. */
export interface FileFault {
  /** From the root of the tree. */
  path: string
  wanted: string
  received: string
}

export interface CheckReport {
  onFault(fault: FileFault): void
  /** Called repeatedly with how many of the files have been read. */
  onProgress(done: number, total: number): void
}

/** How many files are read between two reports of progress. */
const progressEvery = 1_000
const missing = 'no such file'

/** How many files are read at a time: an origin answers many at once. */
const atATime = 16

/** Reads the files of a tree, reports their faults, and counts them. */
export class CheckedFiles {
  /** How many files will be read, as far as is known. */
  expected = 0
  readonly counts = { files: 0, bytes: 0, faults: 0 }
  readonly #tree: Tree
  readonly #report: CheckReport

  constructor(tree: Tree, report: CheckReport) {
    this.#tree = tree
    this.#report = report
  }

  fault(fault: FileFault): void {
    this.counts.faults++
    this.#report.onFault(fault)
  }

  /** Checks many files, some at a time. */
  async each<T>(items: Iterable<T>, check: (item: T) => Promise<void>): Promise<void> {
    const iterator = items[Symbol.iterator]()
    const worker = async () => {
      for (let next = iterator.next(); !next.done; next = iterator.next()) await check(next.value)
    }
    await Promise.all(Array.from({ length: atATime }, worker))
  }

  /** The bytes of a small file; null if the tree does not give it, which is a fault. */
  async read(path: string, wanted: string): Promise<Buffer | null> {
    const bytes = await this.#orFault(path, wanted, this.#tree.read(path))
    if (bytes) this.#count(bytes.length)
    return bytes
  }

  /** Compares a file with the first 96 bits of its SHA-256. */
  async checkShort(path: string, digest: string): Promise<void> {
    const wanted = `SHA-256 ${digest}…`
    const bytes = await this.read(path, wanted)
    if (!bytes) return
    const found = shortDigest(bytes)
    if (found !== digest) this.fault({ path, wanted, received: `SHA-256 ${found}… (${bytes.length} bytes)` })
  }

  /**
   * The bytes of a large file with this SHA-256 (hex); null if they have another, which is a fault.
   */
  async readWhole(path: string, digest: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const wanted = `SHA-256 ${digest}`
    const found = await this.#orFault(path, wanted, this.#tree.readDigested(path))
    if (!found) return null
    this.#count(found.bytes.length)
    if (found.digest === digest) return found.bytes
    this.fault({ path, wanted, received: `SHA-256 ${found.digest} (${found.bytes.length} bytes)` })
    return null
  }

  async #orFault<T>(path: string, wanted: string, reading: Promise<T>): Promise<T | null> {
    try {
      return await reading
    } catch (error) {
      // What the system does not let be read is no fault of the tree.
      if (!(error instanceof TreeFault) || error instanceof UnreadableFile) throw error
      this.#count(0)
      this.fault({ path, wanted, received: error instanceof MissingFile ? missing : error.message })
      return null
    }
  }

  #count(bytes: number): void {
    const files = ++this.counts.files
    this.counts.bytes += bytes
    if (files % progressEvery === 0) this.#report.onProgress(files, Math.max(this.expected, files))
  }
}
