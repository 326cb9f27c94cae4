import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { levelRank, levels } from '#contract/levels.ts'
import type { SourceCue } from '#corpus/source-clip.ts'
import { share } from '#kit/round.ts'
import { placeTokens, type Place } from '#language/place-tokens.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { ClipAnalyser } from './clip-analyser.ts'
import { Lexicon } from './lexicon.ts'
import { matchRuns, spellingsOf, type TokenRun } from './match-runs.ts'
import { tokeniseCues, type Token, type TokenisedCue } from './tokenise.ts'

/** An occurrence of a word, with its times and its tokens. */
export interface Hit {
  tStart: number
  tEnd: number
  cue: number
  start: number
  length: number
  form: string
  /** Whether the word is only a part of the form, which is then not a spelling of the word. */
  isPart: boolean
}

export interface ClipIndex {
  /** The words spoken in the clip, each with its occurrences in time order. */
  hits: Map<CatalogueWord, Hit[]>
  /** The position of each token in the text of its cue; null if the text does not show it. */
  places: (Place | null)[][]
  /** The ids of the words under which each token of each cue is indexed, best match first. */
  wordIds: number[][][]
  /** The number of indexed tokens by the level of their easiest word, A1 to C2. */
  tokensByLevel: number[]
}

export function indexClip(cues: readonly TokenisedCue[], lexicon: Lexicon): ClipIndex {
  const index: ClipIndex = { hits: new Map(), places: [], wordIds: [], tokensByLevel: levels.map(() => 0) }
  const separator = isUnspaced(lexicon.language) ? '' : ' '
  for (const [cue, { text, tokens }] of cues.entries()) {
    const spellings = spellingsOf(tokens, lexicon)
    const runs = matchRuns(tokens, lexicon, spellings)
    const keys = spellings.map(({ caseKey }) => caseKey)
    index.places.push(placeTokens(text, keys, lexicon.language))
    const byToken = tokens.map((): TokenRun[] => [])
    for (const run of runs) {
      const { word, start, length, isPart = false } = run
      const { tStart } = tokens[start]!
      const { tEnd } = tokens[start + length - 1]!
      const textsOf = (runTokens: readonly Token[]) => runTokens.map(({ text }) => text).join(separator)
      const form = length === 1 ? tokens[start]!.text : textsOf(tokens.slice(start, start + length))
      const hit = { tStart, tEnd, cue, start, length, form, isPart }
      index.hits.getOrInsertComputed(word, () => []).push(hit)
      for (let i = start; i < start + length; i++) byToken[i]!.push(run)
    }
    index.wordIds.push(byToken.map(idsInOrder))
    for (const through of byToken) {
      const easiest = through.reduce((rank, { word }) => Math.min(rank, levelRank(word.level)), Infinity)
      if (through.length > 0) index.tokensByLevel[easiest]!++
    }
  }
  for (const hits of index.hits.values())
    hits.sort((a, b) => a.tStart - b.tStart || a.cue - b.cue || a.start - b.start)
  return index
}

/**
 * Returns the ids of the words of a token. The phrase with the most tokens comes first, then the
 * headword before an inflected form, then the lower id (contract 1.5).
 */
function idsInOrder(runs: readonly TokenRun[]): number[] {
  const sortedRuns = runs.toSorted(
    (a, b) => b.length - a.length || Number(b.headword) - Number(a.headword) || a.word.wordId - b.word.wordId,
  )
  return [...new Set(sortedRuns.map(({ word }) => word.wordId))]
}

/**
 * Returns the share of a clip's indexed tokens that a learner of each level knows, A1 to C2: from 0
 * to 1, with 2 decimals, halves rounded up (contract 1.5).
 */
export function sharesByLevel(tokensByLevel: readonly number[]): number[] {
  const total = tokensByLevel.reduce((sum, count) => sum + count, 0)
  let knownCount = 0
  return tokensByLevel.map((count) => share((knownCount += count), total, 2))
}

/** Returns a function that indexes source clips in a language by its catalogue. */
export function clipIndexer(language: string, words: readonly CatalogueWord[]) {
  const lexicon = new Lexicon(language, words)
  const analyser = new ClipAnalyser(language, words)
  return (source: readonly SourceCue[]) => {
    const cues = tokeniseCues(source, language)
    analyser.analyse(cues, null)
    return { cues, ...indexClip(cues, lexicon) }
  }
}
