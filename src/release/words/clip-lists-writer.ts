import { GrowingUint32Array } from '#kit/growing-array.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import type { ClipList } from '../lists/clip-list.ts'
import { listDigestBytes } from './layout.ts'

/** Builds the sections of `words.bin` that describe the lists of clips, list by list. */
export class ClipListsWriter {
  readonly #clipsByLevel = new GrowingUint32Array()
  readonly #digests: string[] = []
  readonly #checkpoints = new Joined()
  readonly #amended: number[] = []
  readonly #sinceAt: number[] = []
  readonly #laterDigests: string[] = []
  readonly #laterPlaces = new Joined()
  readonly #gonePlaces = new Joined()
  readonly #goneIds: Uint8Array[] = []
  readonly #laterCheckpoints = new Joined()

  get count(): number {
    return this.#digests.length
  }

  add({ clipsByLevel, base, since }: ClipList): void {
    if (since) {
      this.#amended.push(this.count)
      this.#sinceAt.push(this.#laterPlaces.length, this.#gonePlaces.length, this.#laterCheckpoints.length)
      this.#laterDigests.push(since.later?.digest ?? '0'.repeat(2 * listDigestBytes))
      this.#laterPlaces.add(since.places)
      this.#gonePlaces.add(since.gone)
      this.#goneIds.push(since.goneIds)
      this.#laterCheckpoints.add(since.later?.checkpoints ?? [])
    }
    for (const count of clipsByLevel) this.#clipsByLevel.push(count)
    this.#digests.push(base.digest)
    this.#checkpoints.add(base.checkpoints)
  }

  sections(): Record<string, Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
    return {
      clipsByLevel: this.#clipsByLevel.view(),
      listDigests: Uint8Array.fromHex(this.#digests.join('')),
      checkpointAt: Uint32Array.from(this.#checkpoints.starts),
      checkpoints: this.#checkpoints.join(),
      amended: Uint32Array.from(this.#amended),
      sinceAt: Uint32Array.from(this.#sinceAt),
      laterDigests: Uint8Array.fromHex(this.#laterDigests.join('')),
      laterPlaces: this.#laterPlaces.join(),
      gonePlaces: this.#gonePlaces.join(),
      goneIds: joinBytes(this.#goneIds),
      laterCheckpoints: this.#laterCheckpoints.join(),
    }
  }
}

/** Lists of numbers, to be joined end to end. */
class Joined {
  readonly #parts: ArrayLike<number>[] = []
  /** Where each of them begins. */
  readonly starts: number[] = []
  length = 0

  add(part: ArrayLike<number>): void {
    this.#parts.push(part)
    this.starts.push(this.length)
    this.length += part.length
  }

  join(): Uint32Array<ArrayBuffer> {
    const joined = new Uint32Array(this.length)
    for (const [i, part] of this.#parts.entries()) joined.set(part, this.starts[i])
    return joined
  }
}
