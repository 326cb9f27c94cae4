import type { Transcript } from '#contract/transcript.ts'
import type { KeptWords } from '#indexing/clip-analyser.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'

/**
 * What re-indexing needs of a clip's tokens that its published transcript does not say. It is text,
 * because the ledger holds millions of it and reads it only when the catalogue changes.
 */
export interface Traits {
  /** A line for each token with a lemma: `cue.token`, a space, the lemma. */
  lemmas?: string
  /** The tokens inside cues that begin a sentence: `cue.token`, separated by spaces. */
  sentenceStarts?: string
  /** What the analyser of the language found in the clip. */
  analysis?: KeptWords
}

export function traitsOf(cues: readonly TokenisedCue[], analysis: KeptWords | null): Traits {
  const lemmas: string[] = []
  const sentenceStarts: string[] = []
  for (const [c, cue] of cues.entries()) {
    for (const [t, token] of cue.tokens.entries()) {
      // A line break in a lemma becomes a space. Lemmas are compared as headwords are, for which
      // both are the same.
      if (token.lemma !== undefined) lemmas.push(`${c}.${t} ${token.lemma.replace(/\s+/g, ' ')}`)
      if (token.startsSentence) sentenceStarts.push(`${c}.${t}`)
    }
  }
  return {
    ...(lemmas.length > 0 ? { lemmas: lemmas.join('\n') } : {}),
    ...(sentenceStarts.length > 0 ? { sentenceStarts: sentenceStarts.join(' ') } : {}),
    ...(analysis === null ? {} : { analysis }),
  }
}

/** The cues of a published clip with their tokens, as they were when it was published. */
export function tokenisedFromPublished(transcript: Transcript, traits: Traits): TokenisedCue[] {
  const starts = new Set(traits.sentenceStarts?.split(' '))
  const lemmas = lemmasOf(traits)
  return transcript.cues.map(({ tStart, tEnd, text, words }, c) => ({
    tStart,
    tEnd,
    text,
    tokens: words.map((word, t) => {
      const lemma = lemmas.get(`${c}.${t}`)
      return {
        text: word.text,
        tStart: word.tStart,
        tEnd: word.tEnd,
        ...(lemma === undefined ? {} : { lemma }),
        startsSentence: starts.has(`${c}.${t}`),
      }
    }),
  }))
}

function lemmasOf({ lemmas }: Traits): Map<string, string> {
  const lines = lemmas === undefined ? [] : lemmas.split('\n')
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
  )
}
