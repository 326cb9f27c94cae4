import { prefetch } from '#kit/prefetch.ts'
import { bytesHash, textHash } from '#kit/text-hash.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { findInSlots, firstSlot, nextSlot, rowInSlot } from '../hash-slots.ts'
import type { Sections } from '../table-file.ts'
import { idLength, shapeAt, textAt, videoAt } from './layout.ts'

/** The rows of clips by their ids and video ids: hash tables over the texts of their records. */
export class ClipIds {
  readonly #recordAt: Uint32Array
  readonly #bytes: Uint8Array
  /** The same memory as 32-bit words. */
  readonly #words: Uint32Array
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array

  constructor(sections: Sections) {
    this.#recordAt = sections.u32('recordAt')
    this.#bytes = sections.u8('records')
    this.#words = sections.words('records')
    this.#byId = sections.u32('byId')
    this.#byVideo = sections.u32('byVideo')
  }

  /** The row of a clip by its id in any case, or by its video id; −1 if there is none. */
  find(id: string): number {
    const row = isUuid(id) ? this.#findText(this.#byId, id.toLowerCase(), 0) : -1
    return row >= 0 ? row : this.#findText(this.#byVideo, id, videoAt)
  }

  /** The rows of those of these ids that name a clip, in no order, looked up together. */
  findAll(ids: readonly string[]): number[] {
    const uuids: string[] = []
    const videoIds: string[] = []
    for (const id of ids) (isUuid(id) ? uuids : videoIds).push(id)
    const bytes = Buffer.from(uuids.join('').toLowerCase(), 'latin1')
    const rows = this.findAllIn(
      bytes,
      uuids.map((_, i) => i * idLength),
    )
    videoIds.push(...uuids.filter((_, i) => rows[i]! < 0))
    const likely = videoIds.map((id) => rowInSlot(this.#byVideo, firstSlot(this.#byVideo, textHash(id))))
    this.#prefetch(likely, videoAt)
    return rows.concat(videoIds.map((id) => this.find(id))).filter((row) => row >= 0)
  }

  /**
   * The rows of clips whose ids, in lower case, stand in `bytes` at these places; −1 if there is
   * none. Each round compares every id that is left with the row in its next slot, and prefetches
   * these rows together. Three ids in ten take more than one round.
   */
  findAllIn(bytes: Uint8Array, places: readonly number[]): number[] {
    const slots = this.#byId
    const found = places.map(() => -1)
    const slotOf = places.map((at) => firstSlot(slots, bytesHash(bytes, at, at + idLength)))
    let left = places.map((_, i) => i)
    while (left.length > 0) {
      const rows = left.map((i) => rowInSlot(slots, slotOf[i]!))
      this.#prefetch(rows, idLength)
      const others: number[] = []
      for (const [k, i] of left.entries()) {
        const row = rows[k]!
        if (row < 0) continue
        if (this.#hasId(row, bytes, places[i]!)) {
          found[i] = row
        } else {
          slotOf[i] = nextSlot(slots, slotOf[i]!)
          others.push(i)
        }
      }
      left = others
    }
    return found
  }

  /** Prefetches the first `length` bytes of the texts of these clips. A negative row is skipped. */
  #prefetch(rows: readonly number[], length: number): void {
    prefetch(this.#recordAt, rows)
    const texts = rows.map((row) => (row < 0 ? row : this.#recordAt[row]! + textAt))
    prefetch(this.#words, texts, Math.ceil(length / 4 / 3))
  }

  #textAt(row: number): number {
    return (this.#recordAt[row]! + textAt) * 4
  }

  #hasId(row: number, bytes: Uint8Array, at: number): boolean {
    const from = this.#textAt(row)
    for (let i = 0; i < idLength; i++) if (this.#bytes[from + i] !== bytes[at + i]) return false
    return true
  }

  /** The row whose text has this id at a place. */
  #findText(slots: Uint32Array, id: string, at: number): number {
    return findInSlots(slots, textHash(id), (row) => {
      if (at === videoAt && this.#videoLength(row) !== id.length) return false
      const from = this.#textAt(row) + at
      for (let i = 0; i < id.length; i++) if (this.#bytes[from + i] !== id.charCodeAt(i)) return false
      return true
    })
  }

  #videoLength(row: number): number {
    return this.#words[this.#recordAt[row]! + shapeAt]! & 255
  }
}

const uuid = new RegExp(uuidPattern, 'i')

function isUuid(text: string): boolean {
  return text.length === idLength && uuid.test(text)
}
