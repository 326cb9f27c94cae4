import type { Catalogue } from '#corpus/read-catalogue.ts'
import { batches } from '#kit/batches.ts'
import { shortDigest } from '#kit/digest.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import type { ClipCache } from './clip-cache.ts'
import { lexiconDigest } from './digests.ts'
import type { Plan, PlannedClip } from './plan.ts'
import type { OnProgress } from './progress.ts'
import type { ReleaseBuilder } from './release-builder.ts'
import { rangeOf, type SegmentRange } from './segments.ts'
import type { ClipIndexed, ClipToIndex } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/** How many clips a worker indexes in one call. */
const clipsACall = 64

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
  const toIndex = (planned: PlannedClip): ClipToIndex => {
    const { clip, text } = planned
    if (text) return { clip, text, cached: null, traits: null }
    const cached = cache.get(keyOf(clip))
    return { clip, text, cached, traits: cached ? null : state.traits(clip.clipId) }
  }
  const calls = batches(plan.clips.values().map(toIndex), () => 1, Infinity, clipsACall)
  const total = plan.clips.length
  let done = 0
  for await (const [sent, results] of pool.each('index', calls)) {
    for (const [i, indexed] of results.entries()) {
      const clip = store(sent[i]!.clip, indexed, state)
      if (indexed.packed) cache.add(keyOf(clip), indexed.packed)
      builder.add(clip, indexed)
      const segment = rangeOf(clip.language, clip.ordinal, segmentOrdinals)
      segments.set(`${segment.language} ${segment.range}`, segment)
    }
    onProgress({ step: 'index', done: (done += results.length), total })
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

/** By what the cache knows a clip: all that its index follows from. */
function cacheKeys({ catalogue, hasAnalysers }: Indexing): (clip: PublishedClip) => string {
  const lexicons = new Map<string, string>()
  return ({ language, sourceDigest, recordDigest, transcriptDigest }) => {
    const lexicon = lexicons.getOrInsertComputed(language, () =>
      lexiconDigest(language, catalogue, hasAnalysers),
    )
    return shortDigest(`${lexicon} ${sourceDigest} ${recordDigest} ${transcriptDigest}`)
  }
}
