import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import { bands } from '#contract/levels.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { vocabularyOf } from './index/clip-analyser.ts'
import { heardForms, otherSpellings } from './index/word-spellings.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import type { Focus } from '#release/clips/layout.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { packTermVector } from '#release/clips/term-vector.ts'
import type { ClipTableWriter, ClipWords } from '#release/clips/writer.ts'
import { byRow, type ClipList, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import { unpackTermVector } from './term-vectors.ts'

/** The tables of a release as the bytes of their files, and those that name files, opened. */
export type Tables = ReturnType<typeof buildTables>

interface Collected {
  catalogue: Catalogue
  clips: ClipTableWriter
  /** Of all words with clips, by word id. */
  lists: ReadonlyMap<number, ClipList>
  /** The forms that words were heard in, by word id. */
  heard: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * Builds the tables of a release, once every clip and the lists of all words are there. With
 * `hasAnalysers`, words are also found by the forms that the rules of their language give them.
 */
export function buildTables({ catalogue, clips, lists, heard }: Collected, hasAnalysers: boolean) {
  const words = [...catalogue.values()]
    .flat()
    .map((word) => {
      const list = lists.get(word.wordId) ?? null
      const clipCount = list?.clipsByLevel.reduce((sum, count) => sum + count) ?? 0
      const forms = [...word.forms, ...heardForms(word, heard.get(word.wordId) ?? [])]
      return { ...word, forms, list, clipCount }
    })
    .sort(byRow)
  const wordBytes = writeWordTable(words)
  const clipBytes = clips.finish(wordsFinisher(words))
  return {
    clips: new ClipTable(clipBytes, 'clips.bin'),
    words: new WordTable(wordBytes, 'words.bin'),
    files: {
      'clips.bin': [clipBytes],
      'words.bin': [wordBytes],
      'spellings.bin': [writeSpellingsTable(spellingsOf(words, catalogue, hasAnalysers))],
    },
  }
}

/** The spellings of the words, by language. */
function* spellingsOf(words: readonly WordRow[], catalogue: Catalogue, hasAnalysers: boolean) {
  for (const [language, ofLanguage] of Map.groupBy(words, (word) => word.language)) {
    const vocabulary = vocabularyOf(catalogue.get(language)!, language)
    const generated = hasAnalysers ? inflections(language, vocabulary) : new Map<string, string[]>()
    const spelled = ofLanguage.map((word) => ({
      headword: word.word,
      spellings: otherSpellings(word, generated.get(word.word) ?? []),
    }))
    yield { language, words: spelled }
  }
}

/**
 * Finishes what the tables have of the words of clips, by their term vectors by `wordId`: finds the
 * focus words by band, A2 to C2, and names words by their rows. `words` are those of the release by
 * row.
 */
function wordsFinisher(words: readonly (WordRow & { clipCount: number })[]) {
  const firsts = new Map<string, number>()
  const known = new Map(
    words.map(({ wordId, language, level, clipCount }, row) => {
      const inLanguage = row - firsts.getOrInsertComputed(language, () => row)
      // −1 for A1, which is no band.
      return [wordId, { row, inLanguage, band: bands.indexOf(level), clipCount }]
    }),
  )
  return (termVector: Uint8Array): ClipWords => {
    const best: (Candidate | null)[] = bands.map(() => null)
    const focus: Focus[] = bands.map(() => null)
    const { terms, groups } = unpackTermVector(termVector)
    for (const term of terms) {
      const { word: wordId, occurrenceCount, tStartMs } = term
      const { row, inLanguage, band, clipCount } = known.get(wordId)!
      term.word = inLanguage
      const candidate = { wordId, occurrenceCount, clipCount }
      if (band < 0 || (best[band] && !isBetterFocus(candidate, best[band]))) continue
      best[band] = candidate
      focus[band] = { row, tStartMs }
    }
    return { focus, termVector: packTermVector(terms, groups) }
  }
}
