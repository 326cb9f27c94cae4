import { ByteWriter } from '#kit/byte-writer.ts'

/**
 * The places where one term is said, clip by clip (FORMAT.md, "Sentences"): how many clips, then
 * blocks of 32. Each block begins with its last clip and its size, so that it can be passed over;
 * each clip with the size of its positions, so that they can.
 */

const clipsPerBlock = 32

/** Writes lists one behind another. Clips come in ascending order, the positions of each too. */
export class PostingListWriter {
  readonly #out: ByteWriter
  /** The clips of the list at hand, up to a whole block, and the blocks before it. */
  readonly #block = new ByteWriter()
  readonly #blocks = new ByteWriter()
  readonly #positions = new ByteWriter(256)
  #clipCount = 0
  #blockCount = 0
  /** The last clip of the block before. */
  #before = -1
  #clip = -1
  #lastClip = -1
  #position = 0
  #positionCount = 0

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
    this.#positionCount++
  }

  /** Ends a list; false, and nothing is written, where it has no clip. */
  end(writeTerm: (out: ByteWriter) => void): boolean {
    this.#endClip()
    this.#endBlock()
    const isEmpty = this.#clipCount === 0
    if (!isEmpty) {
      writeTerm(this.#out)
      this.#out.varint(this.#clipCount)
      this.#out.copy(this.#blocks.view())
    }
    this.#blocks.clear()
    this.#clipCount = 0
    this.#before = -1
    this.#clip = -1
    this.#lastClip = -1
    return !isEmpty
  }

  #endClip(): void {
    if (this.#clip < 0) return
    const isSingle = this.#positionCount === 1
    this.#block.varint((this.#clip - this.#lastClip - 1) * 2 + Number(isSingle))
    if (!isSingle) this.#block.varint(this.#positions.length)
    this.#block.copy(this.#positions.view())
    this.#positions.clear()
    this.#positionCount = 0
    this.#lastClip = this.#clip
    this.#clipCount++
    if (++this.#blockCount === clipsPerBlock) this.#endBlock()
  }

  #endBlock(): void {
    if (this.#blockCount === 0) return
    this.#blocks.varint(this.#lastClip - this.#before)
    this.#blocks.varint(this.#block.length)
    this.#blocks.copy(this.#block.view())
    this.#block.clear()
    this.#blockCount = 0
    this.#before = this.#lastClip
  }
}

/** Behind the last clip of a list. */
export const noClip = 0xffffffff

/** Reads a list clip by clip, passing over what is not wanted. */
export class PostingListReader {
  /** The clip at hand: −1 before the first, `noClip` behind the last. */
  clip = -1
  /** How many clips the list has. */
  readonly clipCount: number
  readonly #bytes: Uint8Array
  #at: number
  /** Where the positions of the clip at hand begin and end. */
  #from = 0
  #to = 0
  /** The clips that are left behind the block at hand. */
  #left: number
  #inBlock = 0
  /** Where the block at hand ends. */
  #blockEnd = 0
  #lastOfBlock = -1

  /** `at` is where the list begins, behind its term. */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
    this.clipCount = this.#varint()
    this.#left = this.clipCount
  }

  get sizeBytes(): number {
    return this.#bytes.length
  }

  /** Goes on to the next clip; gives it. */
  next(): number {
    if (this.#inBlock === 0) {
      if (this.#left === 0) return (this.clip = noClip)
      this.#openBlock()
    }
    return this.#readClip()
  }

  /** Goes on to the first clip that is not before `clip`; gives it. */
  skipTo(clip: number): number {
    if (this.clip >= clip) return this.clip
    while (this.#lastOfBlock < clip) {
      // What is left of the block, and the whole of the next ones that end before.
      if (this.#left === 0) {
        this.#inBlock = 0
        return (this.clip = noClip)
      }
      if (this.#blockEnd > 0) this.#at = this.#blockEnd
      this.clip = this.#lastOfBlock
      this.#openBlock()
    }
    while (this.clip < clip) this.#readClip()
    return this.clip
  }

  /**
   * Writes the positions of the clip at hand into an array from a place on; gives where they end
   * there.
   */
  positions(out: number[], from: number): number {
    const bytes = this.#bytes
    let at = this.#from
    let position = 0
    let end = from
    while (at < this.#to) {
      let byte = bytes[at++]!
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        value |= (byte & 127) << shift
      }
      position += value
      out[end++] = position
    }
    return end
  }

  /** How many positions the clip at hand has. */
  positionCount(): number {
    const bytes = this.#bytes
    let count = 0
    for (let at = this.#from; at < this.#to; at++) if (bytes[at]! < 128) count++
    return count
  }

  #openBlock(): void {
    this.#lastOfBlock += this.#varint()
    const size = this.#varint()
    this.#blockEnd = this.#at + size
    this.#inBlock = Math.min(clipsPerBlock, this.#left)
    this.#left -= this.#inBlock
  }

  #readClip(): number {
    const head = this.#varint()
    this.clip += (head >>> 1) + 1
    this.#inBlock--
    if ((head & 1) === 0) {
      const size = this.#varint()
      this.#from = this.#at
      this.#to = this.#at += size
    } else {
      this.#from = this.#at
      while (this.#bytes[this.#at++]! > 127);
      this.#to = this.#at
    }
    return this.clip
  }

  #varint(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++]!
      value |= (byte & 127) << shift
    }
    return value >>> 0
  }
}
