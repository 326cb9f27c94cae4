/** A Uint32Array that grows, for values that are too many to be objects. */
export class GrowingUint32Array {
  #values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  /** What was pushed, without a copy. */
  view(): Uint32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.length)
  }
}
