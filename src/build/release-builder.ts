import { levels, type Level } from '#contract/levels.ts'
import type { Coverage } from '#contract/corpus.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { coverageOf, type Covered } from '#indexing/coverage.ts'
import { otherSpellings } from '#indexing/other-spellings.ts'
import { vocabularyOf } from '#indexing/vocabulary.ts'
import { inflections } from '#language/analysers/open-analyser.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { searchFold } from '#language/search-fold.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { type ClipEntry, ClipTableWriter } from '#release/clips/writer.ts'
import { clipCountOf, type ClipList } from '#release/lists/clip-list.ts'
import type { Postings } from '#release/postings/layout.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { byRow, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import type { IndexedEntry } from './amend-lists.ts'
import { FocusWords } from './focus-words.ts'
import type { OpenedPrevious } from './previous-release.ts'

/** The tables of a release, each as pieces of its file, and the opened table of words. */
export interface Tables {
  wordTable: WordTable
  'clips.bin': Uint8Array[]
  'words.bin': Uint8Array[]
  'search.bin': Uint8Array[]
  'spellings.bin': Uint8Array[]
  'postings.bin': Uint8Array[]
}

/**
 * Collects the clips of a release, and builds its tables once every clip and the lists of all words
 * are there.
 */
export class ReleaseBuilder {
  readonly #catalogue: Catalogue
  readonly #clips = new ClipTableWriter()
  readonly #postings = new PostingsTableWriter()
  readonly #covered: Covered[] = []
  /** By channel id: one text for all its clips. */
  readonly #channels = new Map<string, { id: string }>()
  /** The same by number in the previous release. */
  readonly #channelsCarried = new Map<number, { id: string }>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** Adds a clip with the words said in it. */
  add(entry: ClipEntry, said: Postings): IndexedEntry {
    const { clipId, language, level, durationS, channel } = entry.clip
    this.#clips.add(entry)
    this.#postings.add(language, entry.ordinal, said)
    this.#covered.push({ language, level, durationS, channel: this.#channelOf(channel.id) })
    return { clipId, language, level, said }
  }

  /** Adds a clip as it is in the tables of another release, which stay open until the end. */
  carry({ clips, postings }: Pick<OpenedPrevious, 'clips' | 'postings'>, row: number): void {
    const { language, ordinal } = clips.placeOf(row)
    this.#clips.carry(clips, row)
    this.#postings.carry(postings, language, ordinal)
    this.#covered.push({
      language,
      level: levels[clips.level(row)]!,
      durationS: clips.durationS(row),
      channel: this.#channelCarried(clips, row),
    })
  }

  /**
   * `lists` are those of all words with clips. `ordinals` holds by language how many were ever
   * given.
   */
  tables(lists: ReadonlyMap<number, ClipList>, ordinals: Readonly<Record<string, number>>): Tables {
    const words = [...this.#catalogue.values()]
      .flat()
      .map((word) => new Counted(word, lists.get(word.wordId)))
      .sort(byRow)
    const wordPieces = writeWordTable(words.length, (row) => words[row]!.toRow())
    const wordTable = new WordTable(joinBytes(wordPieces), 'words.bin')
    return {
      wordTable,
      'words.bin': wordPieces,
      'search.bin': writeSearchTable({
        folded: words.map(({ word: { word, language } }) => searchFold(word, language)),
        levels: wordTable.levels,
        ranges: wordTable.languages.map((language) => wordTable.rangeOf(language)),
      }),
      'spellings.bin': writeSpellingsTable(this.#spellings(words, wordTable)),
      'clips.bin': this.#clipTable(words, wordTable, ordinals),
      'postings.bin': this.#postings.finish(ordinals),
    }
  }

  coverage(lists: ReadonlyMap<number, ClipList>): Coverage {
    return coverageOf(this.#covered, this.#catalogue, ({ wordId }) => {
      const list = lists.get(wordId)
      return list ? clipCountOf(list) : 0
    })
  }

  /** `words` are those of the release by row. */
  #clipTable(
    words: readonly Counted[],
    table: WordTable,
    ordinals: Readonly<Record<string, number>>,
  ): Uint8Array[] {
    const focusWords = new FocusWords(words, (row) => table.entryAt(row))
    return this.#clips.finish(ordinals, (added) => focusWords.of(this.#postings.postings(added)))
  }

  /** The other spellings of the words, by language. */
  *#spellings(words: readonly Counted[], table: WordTable) {
    for (const language of table.languages) {
      const { first, end } = table.rangeOf(language)
      const generated = inflections(language, vocabularyOf(this.#catalogue.get(language) ?? [], language))
      const rows = Array.from({ length: end - first }, (_, i) => first + i)
      const spelled = rows.map((row) => {
        const { word } = words[row]!
        return { row, spellings: otherSpellings(word, generated.get(word.word) ?? []) }
      })
      yield { language, words: spelled }
    }
  }

  #channelCarried({ facets }: ClipTable, row: number): { id: string } {
    return this.#channelsCarried.getOrInsertComputed(facets.channelOf(row), (channel) =>
      this.#channelOf(facets.channelId(channel)),
    )
  }

  #channelOf(id: string): { id: string } {
    return this.#channels.getOrInsertComputed(id, () => ({ id }))
  }
}

/** A word of the catalogue with its list. */
class Counted {
  readonly word: CatalogueWord
  readonly list: ClipList | undefined
  readonly clipCount: number

  constructor(word: CatalogueWord, list: ClipList | undefined) {
    this.word = word
    this.list = list
    this.clipCount = list ? clipCountOf(list) : 0
  }

  get wordId(): number {
    return this.word.wordId
  }

  get language(): string {
    return this.word.language
  }

  get level(): Level {
    return this.word.level
  }

  toRow(): WordRow {
    const { wordId, language, word, level, meanings, forms } = this.word
    return { wordId, language, word, level, meanings, forms, list: this.list ?? null }
  }
}
