import type { SourceCue, SourceWord } from '#corpus/source-clip.ts'
import { codePointLength } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { stripPunctuation } from '#language/match-key.ts'
import { placeTokens } from '#language/place-tokens.ts'
import { roundTime } from '#kit/round.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { isSpoken, segment } from '#language/segment.ts'
import { splitToken } from '#language/split-token.ts'
import type { TokenWord } from '#language/analysers/analyser.ts'

/** One occurrence of a form in a cue. */
export interface Token {
  /** The text as spoken, without the punctuation around it. */
  text: string
  tStart: number
  tEnd: number
  /** The dictionary form, if the source gives one. */
  lemma?: string
  /** The words that start in the token, by an analyser; empty if the token is inside one. */
  words?: readonly TokenWord[]
  /** The reading, if an analyser provided it and the token is not in kana. */
  reading?: string
  /** Whether a sentence ends before this token, so that no phrase includes both sides. */
  startsSentence: boolean
}

export interface TokenisedCue {
  tStart: number
  tEnd: number
  text: string
  tokens: Token[]
}

export function tokeniseCues(cues: readonly SourceCue[], language: string): TokenisedCue[] {
  return cues.map((cue) => {
    const { tStart, tEnd, text } = cue
    return { tStart, tEnd, text, tokens: tokenise(cue, language) }
  })
}

/** Splits a cue into tokens, with the times of its words or interpolated ones (contract 1.5, 2). */
export function tokenise(cue: SourceCue, language: string): Token[] {
  return cue.words && cue.words.length > 0 ? timedTokens(cue, language) : interpolatedTokens(cue, language)
}

/**
 * Splits the words of a cue with word times, which are limited to those of the cue. The cue's text
 * shows whether a sentence ends between two words. If one of the two is not in the text, the
 * punctuation around the words decides.
 */
function timedTokens(cue: SourceCue, language: string): Token[] {
  const parts = cue.words!.flatMap((word) => splitTimed(word, language)).map(spokenPart)
  const keys = parts.filter((part) => part.isSpoken).map(({ text }) => caseKey(text, language))
  const places = placeTokens(cue.text, keys, language)
  const limit = (time: number) => roundTime(Math.min(Math.max(time, cue.tStart), cue.tEnd))
  const tokens: Token[] = []
  /** The punctuation around the words since the previous token. */
  let between = ''
  for (const { word, text, isSpoken, before, after } of parts) {
    if (!isSpoken) {
      between += word.text.trim()
      continue
    }
    const [previous, place] = [places[tokens.length - 1], places[tokens.length]]
    const gap = previous && place ? cue.text.slice(previous.end, place.start) : between + before
    const token: Token = {
      text,
      tStart: limit(word.tStart),
      tEnd: limit(word.tEnd),
      startsSentence: tokens.length > 0 && sentenceEnd.test(gap),
    }
    const lemma = word.lemma?.trim()
    if (lemma) token.lemma = lemma
    tokens.push(token)
    between = after
  }
  return tokens
}

/** Splits a timed word into its spoken text and the punctuation around it. */
function spokenPart(word: TimedWord) {
  const raw = word.text.trim()
  const core = stripPunctuation(raw)
  // The apostrophe of an elided word is part of it.
  const text = word.isSplit ? raw.slice(raw.indexOf(core)).replace(/[.:]$/, '') : core
  const start = raw.indexOf(text)
  const [before, after] = [raw.slice(0, start), raw.slice(start + text.length)]
  return { word, text, isSpoken: isSpoken(text), before, after }
}

interface TimedWord extends SourceWord {
  isSplit?: boolean
}

/**
 * Splits a word that contains several (l'|homme, late.|They). Each part gets its share of the time,
 * and the last one gets the lemma.
 */
function splitTimed(word: SourceWord, language: string): TimedWord[] {
  const parts = splitToken(word.text, language)
  if (parts.length === 1) return [word]
  const { text, tStart, tEnd, lemma } = word
  let endAt = 0
  const timeAt = (characters: number) => tStart + ((tEnd - tStart) * characters) / text.length
  return parts.map((part, i) => {
    endAt += part.length
    const timedPart = { text: part, tStart: timeAt(endAt - part.length), tEnd: timeAt(endAt) }
    if (i < parts.length - 1) return { ...timedPart, isSplit: true }
    return lemma === undefined ? timedPart : { ...timedPart, lemma }
  })
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
