import type { SourceCue } from '#corpus/source-clip.ts'
import { codePointLength } from '#kit/code-points.ts'
import { stripPunctuation } from '#kit/match-key.ts'
import { roundTime } from '#kit/round.ts'
import { isSpoken, segment } from './segment.ts'

/** One occurrence of a form in a cue. */
export interface Token {
  /** As spoken, without the punctuation around it. */
  text: string
  tStart: number
  tEnd: number
  /** The dictionary form, where the source names one. */
  lemma?: string
  /** A sentence ends between the token before and this one: no phrase spans it. */
  startsSentence: boolean
}

const sentenceEnd = /[.!?…。！？｡]/u

/** The tokens of a cue in order, timed by the source's words, else interpolated (contract 1.5, 2). */
export function tokenise(cue: SourceCue, language: string): Token[] {
  return cue.words && cue.words.length > 0 ? timedTokens(cue) : interpolatedTokens(cue, language)
}

function timedTokens(cue: SourceCue): Token[] {
  const tokens: Token[] = []
  /** Where the last token found in the cue's text ends, and the punctuation since it where the text does not tell. */
  let found = 0
  let between = ''
  for (const word of cue.words!) {
    const raw = word.text.trim()
    const text = stripPunctuation(raw)
    if (!isSpoken(text)) {
      between += raw
      continue
    }
    const at = cue.text.indexOf(text, found)
    const coreStart = raw.indexOf(text)
    const gap = at >= 0 ? cue.text.slice(found, at) : between + raw.slice(0, coreStart)
    tokens.push({
      text,
      tStart: roundTime(word.tStart),
      tEnd: roundTime(word.tEnd),
      ...(word.lemma?.trim() ? { lemma: word.lemma.trim() } : {}),
      startsSentence: tokens.length > 0 && sentenceEnd.test(gap),
    })
    if (at >= 0) found = at + text.length
    between = raw.slice(coreStart + text.length)
  }
  return tokens
}

function interpolatedTokens(cue: SourceCue, language: string): Token[] {
  const segments = segment(cue.text, language)
  const lengths = segments.map(({ text }) => codePointLength(text))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const timeAt = (characters: number) =>
    roundTime(cue.tStart + ((cue.tEnd - cue.tStart) * characters) / total)
  let before = 0
  return segments.map(({ text, start }, i) => {
    const tStart = timeAt(before)
    before += lengths[i]!
    const previous = segments[i - 1]
    const gap = previous ? cue.text.slice(previous.start + previous.text.length, start) : ''
    return { text, tStart, tEnd: timeAt(before), startsSentence: sentenceEnd.test(gap) }
  })
}
