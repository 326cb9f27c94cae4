import { ByteWriter } from '#kit/byte-writer.ts'

/**
 * Writes posting lists one behind another (FORMAT.md, "Sentences"): where a term is said in a
 * segment. Positions come in ascending order.
 */
export class PostingListWriter {
  readonly #out: ByteWriter
  /** The steps from each position of the list at hand to the next. */
  readonly #steps = new ByteWriter()
  #count = 0
  #position = 0

  constructor(out: ByteWriter) {
    this.#out = out
  }

  add(position: number): void {
    this.#steps.varint(position - this.#position)
    this.#position = position
    this.#count++
  }

  /** Ends a list; writes nothing and returns false if it has no position. */
  end(writeTerm: (out: ByteWriter) => void): boolean {
    const isEmpty = this.#count === 0
    if (!isEmpty) {
      writeTerm(this.#out)
      this.#out.varint(this.#count)
      this.#out.copy(this.#steps.view())
    }
    this.#steps.clear()
    this.#count = 0
    this.#position = 0
    return !isEmpty
  }
}
