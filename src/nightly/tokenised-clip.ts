import type { Clip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import type { TokenisedCue } from '#indexing/index-clip.ts'
import { tokenise } from '#indexing/tokenise.ts'
import type { LedgerEntry } from './ledger.ts'

/** The cues of a source clip with their tokens. */
export function tokenisedFromSource(source: SourceClip): TokenisedCue[] {
  return source.cues.map((cue) => ({
    tStart: cue.tStart,
    tEnd: cue.tEnd,
    text: cue.text,
    tokens: tokenise(cue, source.language),
  }))
}

/** What the published transcript will not tell of the tokens, for the ledger. */
export function unpublishedTraits(
  cues: readonly TokenisedCue[],
): Pick<LedgerEntry, 'lemmas' | 'sentenceStarts'> {
  const lemmas: Record<string, string> = {}
  const sentenceStarts: string[] = []
  for (const [c, cue] of cues.entries()) {
    for (const [t, token] of cue.tokens.entries()) {
      if (token.lemma !== undefined) lemmas[`${c}.${t}`] = token.lemma
      if (token.startsSentence) sentenceStarts.push(`${c}.${t}`)
    }
  }
  return {
    ...(Object.keys(lemmas).length > 0 ? { lemmas } : {}),
    ...(sentenceStarts.length > 0 ? { sentenceStarts } : {}),
  }
}

/** The cues of a published clip with their tokens, as they were when it was published. */
export function tokenisedFromPublished(transcript: Transcript, entry: LedgerEntry): TokenisedCue[] {
  const starts = new Set(entry.sentenceStarts)
  return transcript.cues.map(({ tStart, tEnd, text, words }, c) => ({
    tStart,
    tEnd,
    text,
    tokens: words.map((word, t) => {
      const lemma = entry.lemmas?.[`${c}.${t}`]
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

/** A clip of the release in the making. */
export interface LiveClip {
  record: Clip
  cues: TokenisedCue[]
}
