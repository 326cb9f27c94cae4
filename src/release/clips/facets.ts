import { textHash } from '#kit/text-hash.ts'
import { buildSlots, findInSlots } from '../hash-slots.ts'
import type { Sections } from '../table-file.ts'
import { TextColumn, TextColumnWriter } from '../text-column.ts'
import { none } from './layout.ts'

/**
 * What clips are filtered by, in one 32-bit word each: the rank of the level in bits 0 to 2, the
 * duration in seconds in bits 3 to 10, the number of the channel above (FORMAT.md, "clips.bin"). A
 * filter that looks at ten thousand clips reads one word of each, and not their records.
 */

const durationShift = 3
const channelShift = 11
const mostChannels = 2 ** (32 - channelShift) - 1

/** Which clips a request wants. */
export interface ClipFilter {
  /** A set of levels, bit 0 for A1. */
  levelMask: number
  /** Numbers of channels; null for all. */
  channels: ReadonlySet<number> | null
  maxDurationS: number
}

/** @throws {RangeError} there are too many channels */
export function facetOf(levelRank: number, durationS: number, channel: number): number {
  if (channel >= mostChannels)
    throw new RangeError(`cannot list the clips: a tree can have at most ${mostChannels} channels`)
  return (levelRank | (durationS << durationShift) | (channel << channelShift)) >>> 0
}

/** Collects the ids of channels, each once. */
export class ChannelWriter {
  readonly #numbers = new Map<string, number>()

  /** The number of a channel. */
  add(id: string): number {
    return this.#numbers.getOrInsert(id, this.#numbers.size)
  }

  finish() {
    const ids = new TextColumnWriter()
    const hashes: number[] = []
    for (const id of this.#numbers.keys()) {
      ids.add(id)
      hashes.push(textHash(id))
    }
    return {
      ...ids.finish('channels'),
      byChannel: buildSlots(hashes.keys(), hashes.length, (channel) => hashes[channel]!),
    }
  }
}

/** The facets of the clips of an opened table, by row. */
export class Facets {
  readonly #facets: Uint32Array
  readonly #channels: TextColumn
  readonly #byChannel: Uint32Array

  constructor(sections: Sections) {
    this.#facets = sections.u32('facets')
    this.#channels = new TextColumn(sections, 'channels')
    this.#byChannel = sections.u32('byChannel')
  }

  /** The number of a channel; −1 if it has no clips. */
  channel(id: string): number {
    return findInSlots(this.#byChannel, textHash(id), (channel) => this.#channels.text(channel) === id)
  }

  /** The number of the channel of a clip. */
  channelOf(row: number): number {
    return this.#facets[row]! >>> channelShift
  }

  durationS(row: number): number {
    return (this.#facets[row]! >>> durationShift) & 255
  }

  /** The rank of the level of a clip. */
  level(row: number): number {
    return this.#facets[row]! & 7
  }

  /** Whether the row holds a clip that the filter accepts. */
  accepts(row: number, { levelMask, channels, maxDurationS }: ClipFilter): boolean {
    const facet = this.#facets[row]!
    return (
      facet !== none &&
      ((levelMask >> (facet & 7)) & 1) === 1 &&
      ((facet >>> durationShift) & 255) <= maxDurationS &&
      (channels === null || channels.has(facet >>> channelShift))
    )
  }
}
