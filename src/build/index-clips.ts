import type { Catalogue } from '#corpus/read-catalogue.ts'
import { shortDigest } from '#kit/digest.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import type { ClipCache } from './clip-cache.ts'
import { lexiconDigest } from './digests.ts'
import type { Plan, PlannedClip } from './plan.ts'
import type { OnProgress } from './progress.ts'
import type { ReleaseBuilder } from './release-builder.ts'
import { rangeOf, type SegmentRange } from './segments.ts'
import type { ClipGroup, ClipIndexed } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/**
 * Clips of a language with neighbouring ordinals are indexed in one call and cached together: one
 * by one, compressing them would take twice as long.
 */
const ordinalsAGroup = 64

interface Indexing {
  plan: Plan
  catalogue: Catalogue
  hasAnalysers: boolean
  state: State
  cache: ClipCache
  pool: WorkerPool
  builder: ReleaseBuilder
  segmentOrdinals: number | undefined
  onProgress: OnProgress
}

/**
 * Indexes every clip of the release, and publishes those that are new: adds each to the release, in
 * the order of rows, and stores what is new of it. Returns the segments of the sentence index.
 */
export async function indexClips(indexing: Indexing): Promise<SegmentRange[]> {
  const { plan, state, cache, pool, builder, segmentOrdinals, onProgress } = indexing
  const segments = new Map<string, SegmentRange>()
  const keyOf = cacheKeys(indexing)
  const toIndex = (group: readonly PlannedClip[]): ClipGroup => {
    const isPublished = group.every(({ text }) => text === null)
    const cached = isPublished ? cache.get(keyOf(group.map(({ clip }) => clip))) : null
    const traitsOf = ({ clip, text }: PlannedClip) => (text || cached ? null : state.traits(clip.clipId))
    return { clips: group.map((planned) => ({ ...planned, traits: traitsOf(planned) })), cached }
  }
  const groups = Map.groupBy(
    plan.clips,
    ({ clip }) => `${clip.language} ${Math.floor(clip.ordinal / ordinalsAGroup)}`,
  )
  const total = plan.clips.length
  let done = 0
  for await (const [sent, { indexed, packed }] of pool.each('index', groups.values().map(toIndex))) {
    const clips = indexed.map((made, i) => store(sent.clips[i]!.clip, made, state))
    if (packed) cache.add(keyOf(clips), packed)
    for (const [i, clip] of clips.entries()) {
      builder.add(clip, indexed[i]!)
      const segment = rangeOf(clip.language, clip.ordinal, segmentOrdinals)
      segments.set(`${segment.language} ${segment.range}`, segment)
    }
    onProgress({ step: 'index', done: (done += clips.length), total })
  }
  return [...segments.values()]
}

/** Stores what is new of a clip. Returns what is published of it. */
function store(clip: PublishedClip, { published, traits }: ClipIndexed, state: State): PublishedClip {
  if (!published) {
    if (traits) state.setTraits(clip.clipId, traits)
    return clip
  }
  const stored = { ...clip, ...published }
  state.enter({ ...stored, traits: traits! })
  return stored
}

/** By what the cache knows a group of clips: all that their index follows from. */
function cacheKeys({ catalogue, hasAnalysers }: Indexing): (group: readonly PublishedClip[]) => string {
  const lexicons = new Map<string, string>()
  return (group) => {
    const { language } = group[0]!
    const lexicon = lexicons.getOrInsertComputed(language, () =>
      lexiconDigest(language, catalogue, hasAnalysers),
    )
    const digests = group.map(({ ordinal, sourceDigest, recordDigest, transcriptDigest }) =>
      [ordinal, sourceDigest, recordDigest, transcriptDigest].join(' '),
    )
    return shortDigest([lexicon, ...digests].join('\n'))
  }
}
