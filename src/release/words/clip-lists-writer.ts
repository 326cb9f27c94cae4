import { GrowingUint32Array } from '#kit/growing-array.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import type { ClipList } from '../lists/clip-list.ts'
import { listDigestBytes } from './layout.ts'

/** Builds the sections of `words.bin` that describe the lists of clips, list by list. */
export class ClipListsWriter {
  readonly #clipsByLevel = new GrowingUint32Array()
  readonly #digests: string[] = []
  readonly #checkpointAt = new GrowingUint32Array()
  readonly #checkpoints = new GrowingUint32Array()
  readonly #amended: number[] = []
  readonly #sinceAt: number[] = []
  readonly #laterDigests: string[] = []
  readonly #laterPlaces = new GrowingUint32Array()
  readonly #gonePlaces = new GrowingUint32Array()
  readonly #goneIds: Uint8Array[] = []
  readonly #laterCheckpoints = new GrowingUint32Array()

  get count(): number {
    return this.#digests.length
  }

  add({ clipsByLevel, base, since }: ClipList): void {
    if (since) {
      this.#amended.push(this.count)
      this.#sinceAt.push(this.#laterPlaces.length, this.#gonePlaces.length, this.#laterCheckpoints.length)
      this.#laterDigests.push(since.later?.digest ?? '0'.repeat(2 * listDigestBytes))
      this.#laterPlaces.append(since.places)
      this.#gonePlaces.append(since.gone)
      this.#goneIds.push(since.goneIds)
      this.#laterCheckpoints.append(since.later?.checkpoints ?? [])
    }
    for (const count of clipsByLevel) this.#clipsByLevel.push(count)
    this.#digests.push(base.digest)
    this.#checkpointAt.push(this.#checkpoints.length)
    this.#checkpoints.append(base.checkpoints)
  }

  sections(): Record<string, Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
    return {
      clipsByLevel: this.#clipsByLevel.view(),
      listDigests: Uint8Array.fromHex(this.#digests.join('')),
      checkpointAt: this.#checkpointAt.view(),
      checkpoints: this.#checkpoints.view(),
      amended: Uint32Array.from(this.#amended),
      sinceAt: Uint32Array.from(this.#sinceAt),
      laterDigests: Uint8Array.fromHex(this.#laterDigests.join('')),
      laterPlaces: this.#laterPlaces.view(),
      gonePlaces: this.#gonePlaces.view(),
      goneIds: joinBytes(this.#goneIds),
      laterCheckpoints: this.#laterCheckpoints.view(),
    }
  }
}
