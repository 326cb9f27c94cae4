import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import { bands, type Level } from '#contract/levels.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { vocabularyOf } from '#indexing/clip-analyser.ts'
import { heardForms, otherSpellings } from '#indexing/word-spellings.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import type { Focus } from '#release/clips/layout.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { ClipTableWriter } from '#release/clips/writer.ts'
import { byRow, type ClipList, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import { renameWords } from './term-vectors.ts'

/** The tables of a release as the bytes of their files, and those that name files, opened. */
export type Tables = ReturnType<typeof buildTables>

interface Collected {
  catalogue: Catalogue
  clips: ClipTableWriter
  /** By row. */
  termVectors: readonly string[]
  /** Of all words with clips, by word id. */
  lists: ReadonlyMap<number, ClipList>
  /** The forms that words were heard in, by word id. */
  heard: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * Builds the tables of a release, once every clip and the lists of all words are there. With
 * `hasAnalysers`, words are also found by the forms that the rules of their language give them.
 */
export function buildTables(
  { catalogue, clips, termVectors, lists, heard }: Collected,
  hasAnalysers: boolean,
) {
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
  const focusOf = focusFinder(words)
  const rows = rowsInLanguages(words)
  const clipBytes = clips.finish((row) => {
    const vector = Buffer.from(termVectors[row]!, 'latin1')
    return { focus: focusOf(vector), termVector: renameWords(vector, rows) }
  })
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

/** By word id, the row of a word among those of its language, from 0. */
function rowsInLanguages(words: readonly WordRow[]): Map<number, number> {
  const firsts = new Map<string, number>()
  return new Map(
    words.map(({ wordId, language }, row) => [wordId, row - firsts.getOrInsertComputed(language, () => row)]),
  )
}

/**
 * Finds the focus words of clips by band, A2 to C2, from their term vectors by `wordId`. `words`
 * are those of the release by row.
 */
function focusFinder(words: readonly { wordId: number; level: Level; clipCount: number }[]) {
  const rows = new Map(words.map(({ wordId }, row) => [wordId, row]))
  /** By row: the number of the band that the level is, 0 for A2; −1 for A1, which is no band. */
  const bandOf = Int8Array.from(words, ({ level }) => bands.indexOf(level))
  const terms = new TermVectorReader()
  return (termVector: Uint8Array): Focus[] => {
    const best: (Candidate | null)[] = bands.map(() => null)
    const found: Focus[] = bands.map(() => null)
    terms.read(termVector)
    while (terms.nextFirst()) {
      const { occurrenceCount, tStartMs } = terms
      const wordId = terms.words[terms.place]!
      const row = rows.get(wordId)!
      const band = bandOf[row]!
      if (band < 0) continue
      const candidate = { wordId, occurrenceCount, clipCount: words[row]!.clipCount }
      const known = best[band]
      if (known && !isBetterFocus(candidate, known)) continue
      best[band] = candidate
      found[band] = { row, tStartMs }
    }
    return found
  }
}
