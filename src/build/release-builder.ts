import type { Catalogue } from '#corpus/read-catalogue.ts'
import { otherSpellings } from '#indexing/other-spellings.ts'
import { vocabularyOf } from '#indexing/vocabulary.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { searchFold } from '#language/search-fold.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { type ClipEntry, ClipTableWriter } from '#release/clips/writer.ts'
import { clipCountOf, type ClipList } from '#release/lists/clip-list.ts'
import type { ReleaseFile } from '#release/paths.ts'
import type { Postings } from '#release/postings/layout.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { byRow, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import type { IndexedEntry } from './amend-lists.ts'
import { FocusWords } from './focus-words.ts'
import type { IndexTables } from '#tree/index-tables.ts'

/** The tables of a release, each as pieces of its file, and those that name files, opened. */
export interface Tables {
  files: Record<Extract<ReleaseFile, `${string}.bin`>, Uint8Array[]>
  clips: ClipTable
  words: WordTable
}

/**
 * Collects the clips of a release, and builds its tables once every clip and the lists of all words
 * are there.
 */
export class ReleaseBuilder {
  readonly #catalogue: Catalogue
  readonly #clips = new ClipTableWriter()
  readonly #postings = new PostingsTableWriter()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** Adds a clip with the words said in it. */
  add(entry: ClipEntry, said: Postings): IndexedEntry {
    const { clipId, language, level } = entry.clip
    this.#clips.add(entry)
    this.#postings.add(language, entry.ordinal, said)
    return { clipId, language, level, said }
  }

  /** Adds a clip as it is in the tables of another release, which stay open until the end. */
  carry({ clips, postings }: Pick<IndexTables, 'clips' | 'postings'>, row: number): void {
    const { language, ordinal } = clips.placeOf(row)
    this.#clips.carry(clips, row)
    this.#postings.carry(postings, language, ordinal)
  }

  /**
   * `lists` are those of all words with clips. `ordinals` holds by language how many were ever
   * given.
   */
  tables(lists: ReadonlyMap<number, ClipList>, ordinals: Readonly<Record<string, number>>): Tables {
    const words = [...this.#catalogue.values()]
      .flat()
      .map((word): WordWithList => {
        const list = lists.get(word.wordId) ?? null
        return { ...word, list, clipCount: list ? clipCountOf(list) : 0 }
      })
      .sort(byRow)
    const wordBytes = joinBytes(writeWordTable(words.length, (row) => words[row]!))
    const wordTable = new WordTable(wordBytes, 'words.bin')
    const focusWords = new FocusWords(words, (row) => wordTable.entryAt(row))
    const focusOf = (added: number) => focusWords.of(this.#postings.postings(added))
    const clipBytes = joinBytes(this.#clips.finish(ordinals, focusOf))
    const folded = words.map(({ word, language }) => searchFold(word, language))
    return {
      clips: new ClipTable(clipBytes, 'clips.bin'),
      words: wordTable,
      files: {
        'clips.bin': [clipBytes],
        'words.bin': [wordBytes],
        'search.bin': writeSearchTable({
          folded,
          levels: wordTable.levels,
          ranges: wordTable.languages.map((language) => wordTable.rangeOf(language)),
        }),
        'spellings.bin': writeSpellingsTable(this.#spellings(words, folded, wordTable)),
        'postings.bin': this.#postings.finish(ordinals),
      },
    }
  }

  /** The other spellings of the words, by language. `folded` are the folded headwords, by row. */
  *#spellings(words: readonly WordWithList[], folded: readonly string[], table: WordTable) {
    for (const language of table.languages) {
      const { first, end } = table.rangeOf(language)
      const generated = inflections(language, vocabularyOf(this.#catalogue.get(language) ?? [], language))
      const rows = Array.from({ length: end - first }, (_, i) => first + i)
      const spelled = rows.map((row) => {
        const word = words[row]!
        const spellings = otherSpellings(word, generated.get(word.word) ?? [])
        return { row, folded: folded[row]!, spellings }
      })
      yield { language, words: spelled }
    }
  }
}

/** A word of the catalogue with its list. */
interface WordWithList extends WordRow {
  clipCount: number
}
