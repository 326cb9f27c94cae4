import { textHash } from '#kit/text-hash.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { findInSlots } from '../hash-slots.ts'
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

  #textAt(row: number): number {
    return (this.#recordAt[row]! + textAt) * 4
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
