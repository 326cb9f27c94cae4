/**
 * The tokens of a cue: "`words` are its tokens in order, `text` as spoken, without the punctuation
 * around it; tokens without a letter or digit are left out."
 */
import { ignoringCase, keyOf, nfc, stripPunctuation } from './spelling.ts'
import type { SourceCue, SourceWord } from './source.ts'

export type Token = {
  text: string
  key: string
  /** seconds, at most 3 decimals */
  tStart: number
  tEnd: number
  lemma: string | null
  /** whether a sentence ends between the token before it (in the same cue) and this one */
  opensSentence: boolean
}

/** A token without times: its text, and the text between the previous token and this one. */
type Spoken = { text: string; between: string }

/** "seconds, as JSON numbers with at most 3 decimals" */
export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** Whether the source timed the words of a cue; a missing or empty `words` counts as none. */
export function hasSourceWords(cue: SourceCue): boolean {
  return cue.words !== undefined && cue.words.length > 0
}

/** Returns the tokens of one cue, in order. */
export function tokensOf(cue: SourceCue, language: string): Token[] {
  return hasSourceWords(cue)
    ? measuredTokens(cue, cue.words ?? [], language)
    : interpolatedTokens(cue, language)
}

/** With source words, there is one token per word, with its own times inside the cue. */
function measuredTokens(cue: SourceCue, words: SourceWord[], language: string): Token[] {
  return givenTokens(words.flatMap(partsOfWord), cue.text, language).map(({ text, between, word }) => ({
    text,
    key: keyOf(text, language),
    tStart: roundTime(Math.min(Math.max(word.tStart, cue.tStart), cue.tEnd)),
    tEnd: roundTime(Math.min(Math.max(word.tEnd, cue.tStart), cue.tEnd)),
    lemma: word.lemma ?? null,
    opensSentence: endsSentence(between),
  }))
}

/**
 * "interpolated inside their cue in proportion to their characters": the kept tokens divide the
 * time of the cue without gaps.
 */
function interpolatedTokens(cue: SourceCue, language: string): Token[] {
  const spoken = segmentedTokens(nfc(cue.text), language)
  let all = 0
  for (const { text } of spoken) all += codePoints(text)
  let before = 0
  return spoken.map(({ text, between }) => {
    const from = before
    before += codePoints(text)
    return {
      text,
      key: keyOf(text, language),
      tStart: roundTime(cue.tStart + ((cue.tEnd - cue.tStart) * from) / all),
      tEnd: roundTime(cue.tStart + ((cue.tEnd - cue.tStart) * before) / all),
      lemma: null,
      opensSentence: endsSentence(between),
    }
  })
}

/** "Characters" are code points. */
const codePoints = (text: string): number => [...text].length

/** "tokens without a letter or digit are left out" */
const isSpoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** "not across a sentence end in its text" */
const endsSentence = (between: string): boolean => /[.!?…。！？｡]/u.test(between)

/**
 * "Without `words` the text is segmented (Intl.Segmenter)", and matching "never takes a hyphenated
 * token apart": word-like segments with nothing but one hyphen between them are one token.
 */
function segmentedTokens(text: string, language: string): Spoken[] {
  const joined: { start: number; end: number }[] = []
  for (const segment of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    if (!segment.isWordLike) continue
    const start = segment.index
    const end = start + segment.segment.length
    const last = joined.at(-1)
    if (last !== undefined && /^[-‐‑]$/u.test(text.slice(last.end, start))) last.end = end
    else joined.push({ start, end })
  }

  const spoken: Spoken[] = []
  let endOfLast = 0
  for (const { start, end } of joined.flatMap((range) => partsOfRange(text, range))) {
    const stripped = stripPunctuation(text.slice(start, end))
    if (!isSpoken(stripped)) continue
    const at = text.indexOf(stripped, start)
    spoken.push({ text: stripped, between: spoken.length === 0 ? '' : text.slice(endOfLast, at) })
    endOfLast = at + stripped.length
  }
  return spoken
}

/**
 * Returns one token per source word. The text between two of them is read from the cue's text,
 * where they are searched for one after another, ignoring case. If one of the two is missing there,
 * it is the punctuation stripped from the words.
 */
function givenTokens(words: SourceWord[], text: string, language: string): (Spoken & { word: SourceWord })[] {
  const cueText = ignoringCase(text, language)
  const spoken: (Spoken & { word: SourceWord })[] = []
  let searchedTo = 0
  let lastFound = false
  let strippedSince = ''
  for (const word of words) {
    const raw = nfc(word.text).trim()
    const bare = stripPunctuation(raw)
    if (!isSpoken(bare)) {
      strippedSince += raw
      continue
    }
    const inRaw = raw.indexOf(bare)
    const sought = ignoringCase(bare, language)
    const inCue = cueText.indexOf(sought, searchedTo)
    const found = inCue !== -1
    const between =
      found && lastFound ? cueText.slice(searchedTo, inCue) : strippedSince + raw.slice(0, inRaw)
    spoken.push({ text: bare, between: spoken.length === 0 ? '' : between, word })

    if (found) searchedTo = inCue + sought.length
    lastFound = found
    strippedSince = raw.slice(inRaw + bare.length)
  }
  return spoken
}

/** A missing space after a full stop: late.They */
const missingSpace = /(?<=\p{Ll}{2}\.)(?=\p{Lu}(?:\p{Ll}|')|[AEIOUYÀÈÉÓÚАВИКОСУЯ]$)/u

function partsOfRange(text: string, { start, end }: { start: number; end: number }) {
  let at = start
  return text
    .slice(start, end)
    .split(missingSpace)
    .map((part) => ({ start: at, end: (at += part.length) }))
}

/** Each part has its share of the time; the lemma belongs to the last one. */
function partsOfWord(word: SourceWord): SourceWord[] {
  const { text, tStart, tEnd, lemma } = word
  const parts = partsOfRange(text, { start: 0, end: text.length })
  if (parts.length === 1) return [word]
  const timeAt = (at: number) => tStart + ((tEnd - tStart) * at) / text.length
  return parts.map(({ start, end }, i) => ({
    text: text.slice(start, end),
    tStart: timeAt(start),
    tEnd: timeAt(end),
    ...(lemma !== undefined && i === parts.length - 1 && { lemma }),
  }))
}
