import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import { bands } from '#contract/levels.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import type { Focus } from '#release/clips/layout.ts'
import { packTermVector, TermVectorReader, unpackTermVector } from '#release/clips/term-vector.ts'
import type { ClipTableWriter, ClipWords } from '#release/clips/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import { byRow, rowsByNumber, type ClipList, type WordRow } from '#release/words/layout.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { vocabularyOf } from './index/clip-analyser.ts'
import { otherSpellings, unlistedForms } from './index/word-spellings.ts'

/** A word of the release with its list and the number of its clips. */
export type CountedWord = WordRow & { clipCount: number }

/** Returns the words of a release by row. `lists` and `spokenForms` are keyed by word id. */
export function countWords(
  catalogue: Catalogue,
  lists: ReadonlyMap<number, ClipList>,
  spokenForms: ReadonlyMap<number, ReadonlySet<string>>,
): CountedWord[] {
  const words = [...catalogue.values()].flat().map((word): CountedWord => {
    const list = lists.get(word.wordId) ?? null
    const forms = [...word.forms, ...unlistedForms(word, spokenForms.get(word.wordId) ?? [])]
    const clipCount = list?.clipsByLevel.reduce((sum, count) => sum + count) ?? 0
    return { ...word, forms, list, clipCount }
  })
  return words.sort(byRow)
}

/**
 * Builds the tables of a release, as the bytes of their files in pieces that can be read once. With
 * `hasAnalysers`, words can also be found by the forms that the rules of their language generate.
 */
export function buildTables(
  words: readonly CountedWord[],
  clips: ClipTableWriter,
  catalogue: Catalogue,
  hasAnalysers: boolean,
) {
  return {
    'clips.bin': clips.finish(clipWordsBuilder(words)),
    'words.bin': writeWordTable(words),
    'spellings.bin': writeSpellingsTable(spellingsByLanguage(words, catalogue, hasAnalysers)),
  }
}

function* spellingsByLanguage(words: readonly WordRow[], catalogue: Catalogue, hasAnalysers: boolean) {
  for (const [language, languageWords] of Map.groupBy(words, (word) => word.language)) {
    const vocabulary = vocabularyOf(catalogue.get(language)!, language)
    const formsByHeadword = hasAnalysers ? inflections(language, vocabulary) : new Map<string, string[]>()
    const spellings = languageWords.map((word) => ({
      headword: word.word,
      spellings: otherSpellings(word, formsByHeadword.get(word.word) ?? []),
    }))
    yield { language, words: spellings }
  }
}

/**
 * Returns a function that builds the data about a clip's words for the table of clips: the focus
 * word of each band, A2 to C2, and the term vector. `words` are the words of the release, by row.
 */
function clipWordsBuilder(words: readonly CountedWord[]): (termVector: Uint8Array) => ClipWords {
  const firstNumbers = new Map<string, number>()
  const wordsById = new Map(
    Array.from(rowsByNumber(words), (row, number) => {
      const { wordId, language, level, clipCount } = words[row]!
      const numberInLanguage = number - firstNumbers.getOrInsertComputed(language, () => number)
      // −1 for A1, which is not a band.
      return [wordId, { number, numberInLanguage, band: bands.indexOf(level), clipCount }]
    }),
  )
  const reader = new TermVectorReader()
  return (termVector) => {
    const candidates: (Candidate | null)[] = bands.map(() => null)
    const focus: Focus[] = bands.map(() => null)
    const { terms, groups } = unpackTermVector(termVector, reader)
    for (const { word: wordId, occurrenceCount, tStartMs } of terms) {
      const { number, band, clipCount } = wordsById.get(wordId)!
      const candidate = { wordId, occurrenceCount, clipCount }
      if (band < 0 || (candidates[band] && !isBetterFocus(candidate, candidates[band]))) continue
      candidates[band] = candidate
      focus[band] = { number, tStartMs }
    }
    const numberedTerms = terms.map((term) => {
      return { ...term, word: wordsById.get(term.word)!.numberInLanguage }
    })
    return { focus, termVector: packTermVector(numberedTerms, groups) }
  }
}
