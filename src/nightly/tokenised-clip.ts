import type { Transcript } from '#contract/transcript.ts'
import type { StoredWords } from './index/stored-words.ts'
import type { TokenisedCue } from './index/tokenise.ts'

/**
 * What re-indexing needs of a clip's tokens that its published transcript does not say. The ledger
 * holds millions of it and reads it only when the catalogue changes.
 */
export interface Traits {
  /** The lemmas that the source gives, by token: `cue.token`. */
  lemmas: Record<string, string>
  /** The tokens inside cues that begin a sentence. */
  sentenceStarts: string[]
  /** What the analyser of the language found in the clip. */
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

/** The cues of a published clip with their tokens, as they were when it was published. */
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
