import { ByteWriter } from '#kit/byte-writer.ts'

/**
 * Writes posting lists one behind another (FORMAT.md, "Sentences"): where a term is said, clip by
 * clip. Clips come in ascending order, below 2³⁰, and so do the positions of each.
 */
export class PostingListWriter {
  readonly #out: ByteWriter
  /** The clips of the list at hand, but for the last one, of which these are the positions. */
  readonly #clips = new ByteWriter()
  readonly #positions = new ByteWriter(256)
  #clipCount = 0
  #positionCount = 0
  #before = -1
  #clip = -1
  #position = 0
  #inClip = 0

  constructor(out: ByteWriter) {
    this.#out = out
  }

  add(clip: number, position: number): void {
    if (clip !== this.#clip) {
      this.#endClip()
      this.#clip = clip
      this.#position = 0
    }
    this.#positions.varint(position - this.#position)
    this.#position = position
    this.#inClip++
  }

  /** Ends a list; writes nothing and returns false if it has no clip. */
  end(writeTerm: (out: ByteWriter) => void): boolean {
    this.#endClip()
    const isEmpty = this.#clipCount === 0
    if (!isEmpty) {
      writeTerm(this.#out)
      this.#out.varint(this.#clipCount)
      this.#out.varint(this.#positionCount)
      this.#out.copy(this.#clips.view())
    }
    this.#clips.clear()
    this.#clipCount = 0
    this.#positionCount = 0
    this.#before = -1
    this.#clip = -1
    return !isEmpty
  }

  #endClip(): void {
    if (this.#clip < 0) return
    const isSingle = this.#inClip === 1
    this.#clips.varint((this.#clip - this.#before - 1) * 2 + Number(isSingle))
    if (!isSingle) this.#clips.varint(this.#inClip)
    this.#clips.copy(this.#positions.view())
    this.#positions.clear()
    this.#clipCount++
    this.#positionCount += this.#inClip
    this.#inClip = 0
    this.#before = this.#clip
  }
}
