/** A Uint32Array that grows, for values that are too many to be objects. */
export class GrowingUint32Array {
  #values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    this.#reserve(1)
    this.#values[this.length++] = value
  }

  append(values: ArrayLike<number>): void {
    this.#reserve(values.length)
    this.#values.set(values, this.length)
    this.length += values.length
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#values.length) return
    const grown = new Uint32Array(Math.max(this.length + count, this.#values.length * 2))
    grown.set(this.#values)
    this.#values = grown
  }

  at(i: number): number {
    return this.#values[i]!
  }

  /** What was pushed, without a copy. */
  view(): Uint32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.length)
  }
}
