import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortDigest } from '#kit/digest.ts'
import { isNotFound } from '#kit/is-not-found.ts'
import { folderTree, nullIfMissing } from '#release/tree.ts'

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

/** Reads the files of a tree, reports their faults, and counts them. */
export class CheckedFiles {
  /** How many files will be read, as far as is known. */
  expected = 0
  readonly counts = { files: 0, bytes: 0, faults: 0 }
  readonly #outFolder: string
  readonly #report: CheckReport

  constructor(outFolder: string, report: CheckReport) {
    this.#outFolder = outFolder
    this.#report = report
  }

  fault(fault: FileFault): void {
    this.counts.faults++
    this.#report.onFault(fault)
  }

  /**
   * The bytes of a small file; null if it is missing, which is a fault. Reads synchronously: 20 µs
   * a file, 90 µs by promises, and there are millions.
   */
  read(path: string, wanted: string): Buffer | null {
    try {
      const bytes = readFileSync(join(this.#outFolder, path))
      this.#count(bytes.length)
      return bytes
    } catch (error) {
      if (!isNotFound(error)) throw error
      this.#count(0)
      this.fault({ path, wanted, received: missing })
      return null
    }
  }

  /** Compares a file with the first 96 bits of its SHA-256. */
  checkShort(path: string, digest: string): void {
    const wanted = `SHA-256 ${digest}…`
    const bytes = this.read(path, wanted)
    if (!bytes) return
    const found = shortDigest(bytes)
    if (found !== digest) this.fault({ path, wanted, received: `SHA-256 ${found}… (${bytes.length} bytes)` })
  }

  /**
   * The bytes of a large file with this SHA-256 (hex); null if they have another, which is a fault.
   */
  async readWhole(path: string, digest: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const wanted = `SHA-256 ${digest}`
    const found = await nullIfMissing(folderTree(this.#outFolder).readDigested(path))
    this.#count(found?.bytes.length ?? 0)
    if (found?.digest === digest) return found.bytes
    const received = found ? `SHA-256 ${found.digest} (${found.bytes.length} bytes)` : missing
    this.fault({ path, wanted, received })
    return null
  }

  #count(bytes: number): void {
    const files = ++this.counts.files
    this.counts.bytes += bytes
    if (files % progressEvery === 0) this.#report.onProgress(files, Math.max(this.expected, files))
  }
}
