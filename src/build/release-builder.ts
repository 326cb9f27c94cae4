import type { Catalogue } from '#corpus/read-catalogue.ts'
import { heardForms } from '#indexing/heard-forms.ts'
import { otherSpellings } from '#indexing/other-spellings.ts'
import { vocabularyOf } from '#indexing/vocabulary.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { type ClipEntry, ClipTableWriter } from '#release/clips/writer.ts'
import { clipCountOf, type ClipList } from '#release/lists/clip-list.ts'
import type { ReleaseFile } from '#release/paths.ts'
import type { Postings } from '#release/postings/layout.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
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
   * given, `heard` by word id the forms that words were heard in.
   */
  tables(
    lists: ReadonlyMap<number, ClipList>,
    ordinals: Readonly<Record<string, number>>,
    heard: ReadonlyMap<number, ReadonlySet<string>>,
  ): Tables {
    const words = [...this.#catalogue.values()]
      .flat()
      .map((word): WordWithList => {
        const list = lists.get(word.wordId) ?? null
        const forms = [...word.forms, ...heardForms(word, heard.get(word.wordId) ?? [])]
        return { ...word, forms, list, clipCount: list ? clipCountOf(list) : 0 }
      })
      .sort(byRow)
    const wordBytes = joinBytes(writeWordTable(words.length, (row) => words[row]!))
    const wordTable = new WordTable(wordBytes, 'words.bin')
    const focusWords = new FocusWords(words, (row) => wordTable.entryAt(row))
    const focusOf = (added: number) => focusWords.of(this.#postings.postings(added))
    const clipBytes = joinBytes(this.#clips.finish(ordinals, focusOf))
    return {
      clips: new ClipTable(clipBytes, 'clips.bin'),
      words: wordTable,
      files: {
        'clips.bin': [clipBytes],
        'words.bin': [wordBytes],
        'spellings.bin': writeSpellingsTable(this.#spellings(words, wordTable)),
        'postings.bin': this.#postings.finish(ordinals),
      },
    }
  }

  /** The spellings of the words, by language. */
  *#spellings(words: readonly WordWithList[], table: WordTable) {
    for (const language of table.languages) {
      const { first, end } = table.rangeOf(language)
      const generated = inflections(language, vocabularyOf(this.#catalogue.get(language) ?? [], language))
      const spelled = words.slice(first, end).map((word) => ({
        headword: word.word,
        spellings: otherSpellings(word, generated.get(word.word) ?? []),
      }))
      yield { language, words: spelled }
    }
  }
}

/** A word of the catalogue with its list. */
interface WordWithList extends WordRow {
  clipCount: number
}
