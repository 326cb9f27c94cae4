import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { ClipAnalyser } from './clip-analyser.ts'
import { Lexicon } from './lexicon.ts'
import { matchRuns } from './match-runs.ts'
import { tokeniseCues } from './tokenise.ts'

/** A place where a word was found, for a person to judge. */
export interface SampledHit {
  videoId: string
  word: string
  wordId: number
  /** As spoken. */
  form: string
  /** The cue that it is said in. */
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
  const lexicon = new Lexicon(language, words)
  const analyser = new ClipAnalyser(language, words)
  const chosen: SampledHit[] = []
  let seen = 0
  for await (const clip of clips) {
    if (clip.language !== language) continue
    const cues = tokeniseCues(clip.cues, language)
    analyser.analyse(cues, null)
    for (const { tokens, text } of cues) {
      for (const { word, start, length } of matchRuns(tokens, lexicon)) {
        const place = Math.floor(random() * ++seen)
        if (chosen.length < count || place < count) {
          const said = tokens.slice(start, start + length).map((token) => token.text)
          const form = said.join(lexicon.joins ? '' : ' ')
          const hit = { videoId: clip.videoId, word: word.word, wordId: word.wordId, form, text }
          if (chosen.length < count) chosen.push(hit)
          else chosen[place] = hit
        }
      }
    }
  }
  return chosen
}
