/** A learner's words (contract 1.6, `known`): a clip's share of known tokens and its new words. */
import { deflateRawSync } from 'node:zlib'
import { clipCountOf, occurrencesOf, type Indexed, type IndexedClip } from './indexed.ts'
import { wordIdsAt, type Entry } from './matching.ts'
import { LEVELS, type Level } from './source.ts'

export type Known = {
  levels: Level[]
  wordIds: number[]
  exceptIds: number[]
  packedIds: number[]
  minKnownShare?: number
  maxUnknown?: number
}

export type Fit = { knownShare: number; unknownCount: number }

/** "A word is known when a level or an id names it and no `-id` does." */
export function isKnown({ word }: Entry, { levels, wordIds, exceptIds, packedIds }: Known): boolean {
  const isNamed =
    levels.some((level) => LEVELS.indexOf(word.level) <= LEVELS.indexOf(level)) ||
    [...wordIds, ...packedIds].includes(word.wordId)
  return isNamed && !exceptIds.includes(word.wordId)
}

/** Returns the words of each indexed token of a clip. */
function wordsOfTokens(clip: IndexedClip, index: Indexed): Entry[][] {
  return clip.cues.flatMap(({ tokens, runs }) =>
    tokens
      .map((_, i) => wordIdsAt(i, runs))
      .filter((ids) => ids.length > 0)
      .map((ids) => index.entries.filter(({ word }) => ids.includes(word.wordId))),
  )
}

/** "how many different catalogue words are said by tokens of which no word is known" */
function newWords(clip: IndexedClip, known: Known, index: Indexed): Entry[] {
  const unknown = wordsOfTokens(clip, index).filter((words) => !words.some((word) => isKnown(word, known)))
  return [...new Set(unknown.flat())]
}

/** "the share for which one of these words is known; … 1 for a clip without such tokens" */
export function fitOf(clip: IndexedClip, known: Known, index: Indexed): Fit {
  const tokens = wordsOfTokens(clip, index)
  const knownTokens = tokens.filter((words) => words.some((word) => isKnown(word, known)))
  return {
    knownShare: tokens.length === 0 ? 1 : halfUp(knownTokens.length, tokens.length, 2),
    unknownCount: newWords(clip, known, index).length,
  }
}

/** "`minKnownShare` … and `maxUnknown` … leave clips out" */
export function isUnfit({ knownShare, unknownCount }: Fit, { minKnownShare, maxUnknown }: Known): boolean {
  return knownShare < (minKnownShare ?? 0) || unknownCount > (maxUnknown ?? Infinity)
}

/** "one of the words that `unknownCount` counts: of the lowest level, then by the rules of 1.5" */
export function newFocusWords(clip: IndexedClip, known: Known, index: Indexed): Entry[] {
  const rank = ({ word }: Entry) => LEVELS.indexOf(word.level)
  const words = newWords(clip, known, index)
  const lowest = Math.min(...words.map(rank))
  return words.filter((word) => rank(word) === lowest)
}

/** Sorts words by the rules of 1.5 for focus words, best first. */
export function bestFocus(words: Entry[], clip: IndexedClip, index: Indexed) {
  return words
    .map((entry) => ({
      word: entry.word,
      said: occurrencesOf(clip, entry),
      clipCount: clipCountOf(entry, index.clips),
    }))
    .filter(({ said }) => said.length > 0)
    .toSorted(
      (a, b) =>
        Number(b.clipCount >= 3) - Number(a.clipCount >= 3) ||
        b.said.length - a.said.length ||
        a.clipCount - b.clipCount ||
        a.word.wordId - b.word.wordId,
    )[0]
}

/** Returns the text that a caller writes. */
export function knownText({ levels, wordIds, exceptIds, packedIds }: Known): string {
  const packed = packedIds.length === 0 ? [] : [`p.${pack(packedIds)}`]
  return [...levels, ...wordIds, ...exceptIds.map((id) => `-${id}`), ...packed].join(',')
}

/**
 * "the unpadded base64url of the raw DEFLATE (RFC 1951) of the ascending ids' differences (the
 * first from 0) as LEB128"
 */
function pack(ids: number[]): string {
  const bytes: number[] = []
  let before = 0
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    let rest = id - before
    before = id
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return deflateRawSync(Buffer.from(bytes)).toString('base64url')
}

/**
 * Returns `part / whole`, rounded half up, or 0 if `whole` is 0. Whole numbers are used, so that
 * halves are exact.
 */
export function halfUp(part: number, whole: number, decimals: number): number {
  if (whole === 0) return 0
  const scale = 10 ** decimals
  return Math.floor((2 * scale * part + whole) / (2 * whole)) / scale
}
