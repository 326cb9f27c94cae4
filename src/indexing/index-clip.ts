import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { levelRank, levels } from '#contract/levels.ts'
import type { Lexicon, Spelling } from './lexicon.ts'
import { matchRuns, spellingsOf, type TokenRun } from './match-runs.ts'
import type { Token, TokenisedCue } from './tokenise.ts'

/** A place where a word is said. */
export interface Hit {
  tStart: number
  tEnd: number
  cue: number
  start: number
  length: number
}

export interface ClipIndex {
  /** The words said in the clip, each with its hits in time order. */
  hits: Map<CatalogueWord, Hit[]>
  /** By cue and token: what the catalogue has for its text. */
  spellings: Spelling[][]
  /** By cue and token: the ids of the words that it is indexed under, best match first. */
  wordIds: number[][][]
  /** How many indexed tokens there are by the level of their easiest word, A1 to C2. */
  tokensByLevel: number[]
}

/** Indexes one clip by the catalogue of its language. */
export function indexClip(cues: readonly TokenisedCue[], lexicon: Lexicon): ClipIndex {
  const index: ClipIndex = { hits: new Map(), spellings: [], wordIds: [], tokensByLevel: levels.map(() => 0) }
  for (const [cue, { tokens }] of cues.entries()) {
    const spellings = spellingsOf(tokens, lexicon)
    const runs = matchRuns(tokens, lexicon, spellings)
    index.spellings.push(spellings)
    for (const run of runs) addHit(index, cue, tokens, run)
    const byToken = runsByToken(runs, tokens.length)
    const ids: number[][] = []
    for (const through of byToken) {
      ids.push(idsInOrder(through))
      countLevel(index, through)
    }
    index.wordIds.push(ids)
  }
  for (const hits of index.hits.values())
    if (hits.length > 1) hits.sort((a, b) => a.tStart - b.tStart || a.cue - b.cue || a.start - b.start)
  return index
}

function addHit(
  index: ClipIndex,
  cue: number,
  tokens: readonly Token[],
  { word, start, length }: TokenRun,
): void {
  const hit: Hit = {
    tStart: tokens[start]!.tStart,
    tEnd: tokens[start + length - 1]!.tEnd,
    cue,
    start,
    length,
  }
  const known = index.hits.get(word)
  if (known) known.push(hit)
  else index.hits.set(word, [hit])
}

const noRuns: TokenRun[] = []
const noIds: number[] = []

function runsByToken(runs: readonly TokenRun[], tokenCount: number): TokenRun[][] {
  const byToken = Array<TokenRun[]>(tokenCount).fill(noRuns)
  for (const run of runs) {
    for (let i = run.start; i < run.start + run.length; i++) {
      if (byToken[i] === noRuns) byToken[i] = [run]
      else byToken[i]!.push(run)
    }
  }
  return byToken
}

/**
 * The phrase of most tokens comes first, then headword before inflected form, then the lower id
 * (contract 1.5).
 */
function idsInOrder(runs: readonly TokenRun[]): number[] {
  // Most tokens have one word or none.
  if (runs.length < 2) return runs.length === 0 ? noIds : [runs[0]!.word.wordId]
  const ordered = runs.toSorted(
    (a, b) => b.length - a.length || Number(b.headword) - Number(a.headword) || a.word.wordId - b.word.wordId,
  )
  return [...new Set(ordered.map(({ word }) => word.wordId))]
}

function countLevel(index: ClipIndex, runs: readonly TokenRun[]): void {
  if (runs.length === 0) return
  let lowest: number = levels.length
  for (const { word } of runs) lowest = Math.min(lowest, levelRank(word.level))
  index.tokensByLevel[lowest]! += 1
}
