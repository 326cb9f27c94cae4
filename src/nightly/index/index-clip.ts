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

/** A place where a word is said. */
export interface Hit {
  tStart: number
  tEnd: number
  cue: number
  start: number
  length: number
  /** What is said, as its tokens are spoken. */
  form: string
}

export interface ClipIndex {
  /** The words said in the clip, each with its hits in time order. */
  hits: Map<CatalogueWord, Hit[]>
  /** By cue and token: where it stands in the text of the cue; null if that does not show it. */
  places: (Place | null)[][]
  /** By cue and token: the ids of the words that it is indexed under, best match first. */
  wordIds: number[][][]
  /** How many indexed tokens there are by the level of their easiest word, A1 to C2. */
  tokensByLevel: number[]
}

const noRuns: readonly TokenRun[] = []

/** Indexes one clip by the catalogue of its language. */
export function indexClip(cues: readonly TokenisedCue[], lexicon: Lexicon): ClipIndex {
  const index: ClipIndex = { hits: new Map(), places: [], wordIds: [], tokensByLevel: levels.map(() => 0) }
  const separator = isUnspaced(lexicon.language) ? '' : ' '
  for (const [cue, { text, tokens }] of cues.entries()) {
    const spellings = spellingsOf(tokens, lexicon)
    const runs = matchRuns(tokens, lexicon, spellings)
    const keys = spellings.map(({ caseKey }) => caseKey)
    index.places.push(placeTokens(text, keys, lexicon.language))
    // An empty array that is pushed to reserves room for 17 elements.
    const byToken = tokens.map(() => noRuns)
    for (const run of runs) {
      const { word, start, length } = run
      const { tStart } = tokens[start]!
      const { tEnd } = tokens[start + length - 1]!
      const textsOf = (said: readonly Token[]) => said.map(({ text }) => text).join(separator)
      const form = length === 1 ? tokens[start]!.text : textsOf(tokens.slice(start, start + length))
      const hit = { tStart, tEnd, cue, start, length, form }
      const known = index.hits.get(word)
      if (known) known.push(hit)
      else index.hits.set(word, [hit])
      for (let i = start; i < start + length; i++) byToken[i] = [...byToken[i]!, run]
    }
    index.wordIds.push(byToken.map(idsInOrder))
    for (const through of byToken) {
      const easiest = through.reduce((rank, { word }) => Math.min(rank, levelRank(word.level)), Infinity)
      if (through.length > 0) index.tokensByLevel[easiest]!++
    }
  }
  for (const hits of index.hits.values())
    if (hits.length > 1) hits.sort((a, b) => a.tStart - b.tStart || a.cue - b.cue || a.start - b.start)
  return index
}

/**
 * The phrase of most tokens comes first, then headword before inflected form, then the lower id
 * (contract 1.5).
 */
function idsInOrder(runs: readonly TokenRun[]): number[] {
  // Most tokens have one word or none.
  if (runs.length < 2) return runs.map(({ word }) => word.wordId)
  const ordered = runs.toSorted(
    (a, b) => b.length - a.length || Number(b.headword) - Number(a.headword) || a.word.wordId - b.word.wordId,
  )
  return [...new Set(ordered.map(({ word }) => word.wordId))]
}

/**
 * How many of a clip's indexed tokens a learner of each level knows, A1 to C2: shares from 0 to 1,
 * 2 decimals, halves up (contract 1.5). `tokensByLevel` is that of its index.
 */
export function sharesByLevel(tokensByLevel: readonly number[]): number[] {
  const total = tokensByLevel.reduce((sum, count) => sum + count, 0)
  let known = 0
  return tokensByLevel.map((count) => share((known += count), total, 2))
}

/** Indexes source clips of a language by its catalogue. */
export function clipIndexer(language: string, words: readonly CatalogueWord[]) {
  const lexicon = new Lexicon(language, words)
  const analyser = new ClipAnalyser(language, words)
  return (source: readonly SourceCue[]) => {
    const cues = tokeniseCues(source, language)
    analyser.analyse(cues, null)
    return { cues, ...indexClip(cues, lexicon) }
  }
}
