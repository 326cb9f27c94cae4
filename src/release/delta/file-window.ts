import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const windowBytes = 256 * 1024

/** A file that is read through a window, so that memory holds only a part of it. */
export class FileWindow implements Disposable {
  readonly sizeBytes: number
  readonly #fd: number
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes)
  #from = 0
  #to = 0

  /** @throws the error of the file system */
  constructor(path: string) {
    this.#fd = openSync(path, 'r')
    this.sizeBytes = fstatSync(this.#fd).size
  }

  /**
   * Returns the next bytes from a position on, at most `maxBytes`, and none at the end of the file.
   * They are valid until the next call.
   */
  bytesFrom(position: number, maxBytes = windowBytes): Buffer {
    if (position < this.#from || position >= this.#to) {
      this.#from = position
      this.#to = position + readSync(this.#fd, this.#buffer, 0, windowBytes, position)
    }
    return this.#buffer.subarray(position - this.#from, Math.min(this.#to, position + maxBytes) - this.#from)
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}
