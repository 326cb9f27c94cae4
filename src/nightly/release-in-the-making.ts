import type { FeedClip } from '#contract/clip.ts'
import type { Coverage } from '#contract/corpus.ts'
import { bands, levelRank, levels } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { coverageOf, type Covered } from '#indexing/coverage.ts'
import { focusWord } from '#indexing/focus-word.ts'
import type { ClipIndex } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { nameDigestOfLines } from '#kit/digest.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { searchFold } from '#kit/search-fold.ts'
import { ClipTableWriter } from '#release/clip-table.ts'
import { wordClipsPath } from '#release/paths.ts'
import { writeSearchTable } from '#release/search-table.ts'
import { formatWordList } from '#release/word-list.ts'
import {
  byRow,
  itemsPerPage,
  writeWordTable,
  WordTable,
  type ClipList,
  type WordRow,
} from '#release/word-table.ts'
import { toFeedClip } from '#rendering/clip.ts'
import { easiestFirstKey, renderWordClip } from '#rendering/word-clips.ts'
import type { LedgerEntry } from './ledger.ts'
import type { LiveClip } from './tokenised-clip.ts'
import { WordSpool } from './word-spool.ts'

/** A file to be written under `data/`. */
export interface Page {
  path: string
  text: string
}

/**
 * Gathers a release clip by clip. What can be told of a clip alone is told when it is added; what needs them all (coverage, focus words, the
 * lists of clips by word) when every clip is there.
 */
export class ReleaseInTheMaking {
  readonly #catalogue: Catalogue
  readonly #words: Map<number, CatalogueWord>
  readonly #lexicons = new Map<string, Lexicon>()
  readonly #clips = new ClipTableWriter()
  readonly #covered: Covered[] = []
  readonly #said = new SaidWords()
  /** By channel id: one text for all its clips. */
  readonly #channels = new Map<string, { id: string }>()
  /** By word: its clips by their level, A1 to C2. */
  readonly #clipsByLevel = new Map<number, number[]>()
  readonly #spool: WordSpool

  constructor(catalogue: Catalogue, spoolFolder: string) {
    this.#catalogue = catalogue
    this.#words = new Map([...catalogue.values()].flat().map((word) => [word.wordId, word]))
    this.#spool = new WordSpool(spoolFolder)
  }

  get clipCount(): number {
    return this.#clips.count
  }

  get wordCount(): number {
    return this.#words.size
  }

  /** The catalogue of a language by what its words look like; empty for a language without one. */
  lexicon(language: string): Lexicon {
    let lexicon = this.#lexicons.get(language)
    if (!lexicon)
      this.#lexicons.set(language, (lexicon = new Lexicon(language, this.#catalogue.get(language) ?? [])))
    return lexicon
  }

  async add({ record, cues }: LiveClip, index: ClipIndex, entry: LedgerEntry): Promise<void> {
    const clip = toFeedClip(record)
    for (const [word, hits] of index.hits) {
      this.#countClip(word.wordId, clip)
      const item = renderWordClip(clip, cues, index, hits, word.level)
      await this.#spool.put(word.wordId, {
        key: easiestFirstKey(clip.level, item),
        text: JSON.stringify(item),
      })
    }
    this.#clips.add({ ...clip, ...entry, json: JSON.stringify(clip) })
    this.#said.add(index)
    const { language, level, durationS } = clip
    this.#covered.push({ language, level, durationS, channel: this.#channelOf(clip) })
  }

  /** The pages of the word→clips lists, word by word. */
  async *wordPages(): AsyncGenerator<{ wordId: number; pages: Page[]; list: ClipList }> {
    for await (const { wordId, items } of this.#spool.words()) {
      const texts = items.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ text }) => text)
      yield { wordId, ...this.#paginate(wordId, texts) }
    }
  }

  /** The tables, each as the pieces of its file. `lists` are those of the pages that were written. */
  tables(lists: ReadonlyMap<number, ClipList>, ordinals: Readonly<Record<string, number>>): Tables {
    const words = this.#wordsByRow()
    const rows = new Map(words.map(({ wordId }, row) => [wordId, row]))
    const wordPieces = writeWordTable(words.length, (row): WordRow => {
      const { wordId, language, word, level, meanings, forms } = words[row]!
      return { wordId, language, word, level, meanings, forms, list: lists.get(wordId) ?? null }
    })
    const wordTable = new WordTable(joined(wordPieces), 'words.bin')
    return {
      wordTable,
      'words.bin': wordPieces,
      'search.bin': writeSearchTable({
        folded: words.map(({ word, language }) => searchFold(word, language)),
        levels: wordTable.levels,
        ranges: wordTable.languages.map((language) => wordTable.rangeOf(language)),
      }),
      'clips.bin': this.#clips.finish(ordinals, (added, band) => {
        const candidates = this.#said.in(added, band, (wordId) => this.#clipCountOf(wordId))
        const focus = focusWord(candidates)
        return focus && { wordRow: rows.get(focus.wordId)!, tStartMs: focus.tStart }
      }),
    }
  }

  coverage(): Coverage {
    return coverageOf(this.#covered, this.#catalogue, (word) => this.#clipCountOf(word.wordId))
  }

  async cleanUp(): Promise<void> {
    await this.#spool.remove()
  }

  #countClip(wordId: number, clip: FeedClip): void {
    const counts = this.#clipsByLevel.get(wordId)
    if (counts) counts[levelRank(clip.level)]! += 1
    else
      this.#clipsByLevel.set(
        wordId,
        levels.map((level) => Number(level === clip.level)),
      )
  }

  #clipCountOf(wordId: number): number {
    return (this.#clipsByLevel.get(wordId) ?? []).reduce((sum, count) => sum + count, 0)
  }

  #channelOf({ channel }: FeedClip): { id: string } {
    let known = this.#channels.get(channel.id)
    if (!known) this.#channels.set(channel.id, (known = { id: channel.id }))
    return known
  }

  #wordsByRow(): CatalogueWord[] {
    return [...this.#words.values()]
      .map((word) => ({
        word,
        language: word.language,
        wordId: word.wordId,
        clipCount: this.#clipCountOf(word.wordId),
      }))
      .sort(byRow)
      .map(({ word }) => word)
  }

  #paginate(wordId: number, items: readonly string[]): { pages: Page[]; list: ClipList } {
    const { language } = this.#words.get(wordId)!
    const digest = nameDigestOfLines(items)
    const pageCount = Math.ceil(items.length / itemsPerPage)
    const pages: Page[] = []
    const allCheckpoints: number[] = []
    for (let page = 1; page <= pageCount; page++) {
      const { text, checkpoints } = formatWordList(
        { wordId, language, page, pages: pageCount },
        items.slice((page - 1) * itemsPerPage, page * itemsPerPage),
      )
      pages.push({ path: wordClipsPath(language, wordId, digest, page), text })
      allCheckpoints.push(...checkpoints)
    }
    const clipsByLevel = this.#clipsByLevel.get(wordId)!
    return { pages, list: { digest, clipsByLevel, checkpoints: allCheckpoints } }
  }
}

/** The tables of a release: each file as pieces, and the words opened. */
export interface Tables {
  wordTable: WordTable
  'clips.bin': Uint8Array[]
  'words.bin': Uint8Array[]
  'search.bin': Uint8Array[]
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** The words said in each clip, by band, until it is known in how many clips each is said: numbers in arrays, for there are millions. */
class SaidWords {
  readonly #starts = new GrowingUint32Array()
  readonly #wordIds = new GrowingUint32Array()
  readonly #counts = new GrowingUint32Array()
  readonly #startsMs = new GrowingUint32Array()

  /** Adds the words of the next clip. */
  add(index: ClipIndex): void {
    for (const band of bands) {
      this.#starts.push(this.#wordIds.length)
      for (const [word, hits] of index.hits) {
        if (word.level !== band) continue
        this.#wordIds.push(word.wordId)
        this.#counts.push(hits.length)
        this.#startsMs.push(Math.round(hits[0]!.tStart * 1000))
      }
    }
  }

  /** The words of a band in a clip, clips counted as they were added; `tStart` in milliseconds. */
  in(added: number, band: number, clipCountOf: (wordId: number) => number) {
    const at = added * bands.length + band
    const from = this.#starts.at(at)
    const to = at + 1 < this.#starts.length ? this.#starts.at(at + 1) : this.#wordIds.length
    return Array.from({ length: to - from }, (_, i) => {
      const wordId = this.#wordIds.at(from + i)
      return {
        wordId,
        occurrenceCount: this.#counts.at(from + i),
        tStart: this.#startsMs.at(from + i),
        clipCount: clipCountOf(wordId),
      }
    })
  }
}
