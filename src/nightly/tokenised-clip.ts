import type { Transcript } from '#contract/transcript.ts'
import type { StoredWords } from './index/stored-words.ts'
import type { TokenisedCue } from './index/tokenise.ts'

/**
 * The data about a clip's tokens that re-indexing needs and its published transcript does not
 * contain. The ledger stores millions of these, and reads them only if the catalogue changes.
 */
export interface Traits {
  /** The lemmas from the source, by token: `cue.token`. */
  lemmas: Record<string, string>
  /** The tokens inside cues that start a sentence. */
  sentenceStarts: string[]
  analysis: StoredWords | null
}

export function traitsOf(cues: readonly TokenisedCue[], analysis: StoredWords | null): Traits {
  const traits: Traits = { lemmas: {}, sentenceStarts: [], analysis }
  for (const [c, { tokens }] of cues.entries()) {
    for (const [t, { lemma, startsSentence }] of tokens.entries()) {
      if (lemma !== undefined) traits.lemmas[`${c}.${t}`] = lemma
      if (startsSentence) traits.sentenceStarts.push(`${c}.${t}`)
    }
  }
  return traits
}

/** Returns the cues of a published clip with their tokens, as they were when it was published. */
export function tokenisedFromPublished(transcript: Transcript, traits: Traits): TokenisedCue[] {
  const starts = new Set(traits.sentenceStarts)
  return transcript.cues.map(({ tStart, tEnd, text, words }, c) => ({
    tStart,
    tEnd,
    text,
    tokens: words.map((word, t) => {
      const place = `${c}.${t}`
      const lemma = traits.lemmas[place]
      const token = { text: word.text, tStart: word.tStart, tEnd: word.tEnd }
      return { ...token, ...(lemma === undefined ? {} : { lemma }), startsSentence: starts.has(place) }
    }),
  }))
}
