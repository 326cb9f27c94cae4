import type { Catalogue } from '#corpus/read-catalogue.ts'
import { vocabularyOf } from '#indexing/clip-analyser.ts'
import { heardForms, otherSpellings } from '#indexing/word-spellings.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import type { ReleaseFile } from '#release/paths.ts'
import { byRow, type ClipList, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import type { PublishedClip } from '#tree/state.ts'
import { FocusWords } from './focus-words.ts'
import type { IndexedClip } from './tasks.ts'
import { renameWords, TermVectorStore } from './term-vectors.ts'

/** The tables of a release, each as pieces of its file, and those that name files, opened. */
export interface Tables {
  files: Record<Extract<ReleaseFile, `${string}.bin`>, Uint8Array[]>
  clips: ClipTable
  words: WordTable
}

/** A word of the catalogue with its list. */
interface WordWithList extends WordRow {
  clipCount: number
}

/**
 * Collects the clips of a release, and builds its tables once every clip and the lists of all words
 * are there.
 */
export class ReleaseBuilder {
  readonly #catalogue: Catalogue
  readonly #hasAnalysers: boolean
  readonly #clips: ClipTableWriter
  readonly #termVectors = new TermVectorStore()

  /**
   * `ordinals` holds by language how many were ever given. With `hasAnalysers`, words are also
   * found by the forms that the rules of their language give them.
   */
  constructor(catalogue: Catalogue, ordinals: Readonly<Record<string, number>>, hasAnalysers: boolean) {
    this.#catalogue = catalogue
    this.#hasAnalysers = hasAnalysers
    this.#clips = new ClipTableWriter(ordinals)
  }

  /** Adds a clip, whose row comes after that of the clip before. */
  add(published: PublishedClip, { clip, wordCount, indexedAtMs, termVector }: IndexedClip): void {
    this.#termVectors.set(this.#clips.add({ ...published, clip, wordCount, indexedAtMs }), termVector)
  }

  /**
   * `lists` are those of all words with clips, `heard` the forms that words were heard in, by word
   * id.
   */
  tables(lists: ReadonlyMap<number, ClipList>, heard: ReadonlyMap<number, ReadonlySet<string>>): Tables {
    const words = [...this.#catalogue.values()]
      .flat()
      .map((word): WordWithList => {
        const list = lists.get(word.wordId) ?? null
        const forms = [...word.forms, ...heardForms(word, heard.get(word.wordId) ?? [])]
        return {
          ...word,
          forms,
          list,
          clipCount: list?.clipsByLevel.reduce((sum, count) => sum + count) ?? 0,
        }
      })
      .sort(byRow)
    const wordBytes = writeWordTable(words)
    const wordTable = new WordTable(wordBytes, 'words.bin')
    const focusWords = new FocusWords(words)
    const rowOf = rowsInLanguages(wordTable)
    const clipBytes = this.#clips.finish((row) => {
      const vector = this.#termVectors.of(row)
      return { focus: focusWords.of(vector), termVector: renameWords(vector, rowOf) }
    })
    return {
      clips: new ClipTable(clipBytes, 'clips.bin'),
      words: wordTable,
      files: {
        'clips.bin': [clipBytes],
        'words.bin': [wordBytes],
        'spellings.bin': [writeSpellingsTable(this.#spellings(words, wordTable))],
      },
    }
  }

  /** The spellings of the words, by language. */
  *#spellings(words: readonly WordWithList[], table: WordTable) {
    for (const language of table.languages) {
      const { first, end } = table.rangeOf(language)
      const vocabulary = vocabularyOf(this.#catalogue.get(language) ?? [], language)
      const generated = this.#hasAnalysers ? inflections(language, vocabulary) : new Map<string, string[]>()
      const spelled = words.slice(first, end).map((word) => ({
        headword: word.word,
        spellings: otherSpellings(word, generated.get(word.word) ?? []),
      }))
      yield { language, words: spelled }
    }
  }
}

/** Finds the row of a word among those of its language, from 0. */
function rowsInLanguages(words: WordTable): (wordId: number) => number {
  const rows = new Map<number, number>()
  for (const language of words.languages) {
    const { first, end } = words.rangeOf(language)
    for (let row = first; row < end; row++) rows.set(words.wordId(row), row - first)
  }
  return (wordId) => rows.get(wordId)!
}
