import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { maxSpellingParts } from '#corpus/text-bounds.ts'
import type { Entry, Lexicon, Spelling } from './lexicon.ts'
import type { Token } from './tokenise.ts'

/** A run of neighbouring tokens of a cue that is a catalogue word. */
export interface Run {
  word: CatalogueWord
  /** The first token. */
  start: number
  /** How many tokens. */
  length: number
  /** Matched as the headword, not as an inflected form. */
  headword: boolean
}

/**
 * Every run of tokens in a cue that a catalogue word is said in (contract 2, "Indexing").
 *
 * A token alone goes by its lemma where it has one, else by its text; runs of several, at most `maxSpellingParts`, go by
 * their texts and span no sentence end. Where one word fits several runs from the same token, the longest
 * counts.
 */
export function matchRuns(tokens: readonly Token[], lexicon: Lexicon): Run[] {
  const spellings = tokens.map(({ text }) => lexicon.spelling(text))
  const runs: Run[] = []
  for (const [start, { lemma }] of tokens.entries()) {
    const own = spellings[start]!
    const first = runs.length
    const entries = lemma === undefined ? own.entries : headwords(lemma, lexicon)
    for (const { word, headword } of entries) runs.push({ word, start, length: 1, headword })
    if (own.grows) takeLonger(runs, first, tokens, spellings, start, lexicon)
  }
  return runs
}

function headwords(lemma: string, lexicon: Lexicon): readonly Entry[] {
  return lexicon.spelling(lemma).entries.filter((entry) => entry.headword)
}

/** Takes the runs of two and more tokens from `start`, as long as a longer one can still match; `runs` from `first` on are those from `start`. */
function takeLonger(
  runs: Run[],
  first: number,
  tokens: readonly Token[],
  spellings: readonly Spelling[],
  start: number,
  lexicon: Lexicon,
): void {
  let places: Map<CatalogueWord, number> | undefined
  let grown = separatorsOf(lexicon).map(() => spellings[start]!.key)
  const last = Math.min(tokens.length, start + maxSpellingParts)
  for (let end = start + 1; end < last && !tokens[end]!.startsSentence; end++) {
    if (!grown.some((key) => lexicon.grows(key))) return
    grown = grown.map((key, i) => key + separatorsOf(lexicon)[i]! + spellings[end]!.key)
    for (const key of grown) {
      for (const { word, headword, single } of lexicon.entries(key)) {
        if (single) continue
        places ??= new Map(runs.slice(first).map((run, i) => [run.word, first + i]))
        take(runs, places, { word, start, length: end - start + 1, headword })
      }
    }
  }
}

const blank = [' ']
const blankOrNothing = [' ', '']

function separatorsOf({ joins }: Lexicon): readonly string[] {
  return joins ? blankOrNothing : blank
}

/** `places` tells where among the runs from this token each word stands. */
function take(runs: Run[], places: Map<CatalogueWord, number>, run: Run): void {
  const place = places.get(run.word)
  if (place === undefined) {
    places.set(run.word, runs.length)
    runs.push(run)
    return
  }
  const known = runs[place]!
  if (known.length < run.length || (run.headword && !known.headword)) runs[place] = run
}
