import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { clipIndexer } from './index-clip.ts'

/** An occurrence that was found, for a person to judge. */
export interface SampledHit {
  videoId: string
  word: string
  wordId: number
  /** As spoken. */
  form: string
  /** The cue in which it is spoken. */
  text: string
}

/**
 * Chooses hits of a language at random, each with the same probability (reservoir sampling,
 * algorithm R). The same seed and clips give the same hits.
 *
 * @param random numbers from 0 up to 1, seeded
 */
export async function sampleHits(
  words: readonly CatalogueWord[],
  clips: AsyncIterable<SourceClip>,
  { language, count, random }: { language: string; count: number; random: () => number },
): Promise<SampledHit[]> {
  const index = clipIndexer(language, words)
  const sample: SampledHit[] = []
  let hitCount = 0
  for await (const clip of clips) {
    if (clip.language !== language) continue
    const { cues, hits } = index(clip.cues)
    for (const [{ word, wordId }, ofWord] of hits) {
      for (const { cue, form } of ofWord) {
        const place = Math.floor(random() * ++hitCount)
        if (sample.length >= count && place >= count) continue
        const hit = { videoId: clip.videoId, word, wordId, form, text: cues[cue]!.text }
        sample[sample.length < count ? sample.length : place] = hit
      }
    }
  }
  return sample
}
