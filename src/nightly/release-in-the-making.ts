import type { FeedClip } from '#contract/clip.ts'
import type { Coverage } from '#contract/corpus.ts'
import { bands, levelRank, levels } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { coverageOf } from '#indexing/coverage.ts'
import { focusWord, type Candidate } from '#indexing/focus-word.ts'
import type { ClipIndex } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { nameDigest, shortDigest } from '#kit/digest.ts'
import { clipPath, transcriptPath, wordClipsPath } from '#release/paths.ts'
import { itemsPerPage, type ClipRow, type Focus, type WordRow } from '#release/tables.ts'
import { formatWordList } from '#release/word-list.ts'
import { toFeedClip } from '#rendering/clip.ts'
import { easiestFirst, renderWordClip } from '#rendering/word-clips.ts'
import type { LedgerEntry } from './ledger.ts'
import type { LiveClip } from './tokenised-clip.ts'
import { WordSpool } from './word-spool.ts'

/** A word said in a clip, as far as it may become the focus. */
type Said = Omit<Candidate, 'clipCount'>

interface Gathered {
  row: Omit<ClipRow, 'focus'>
  /** By band. */
  said: Said[][]
}

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
  readonly #gathered: Gathered[] = []
  /** By word: its clips by their level, A1 to C2. */
  readonly #clipsByLevel = new Map<number, number[]>()
  readonly #spool: WordSpool

  constructor(catalogue: Catalogue, spoolFolder: string) {
    this.#catalogue = catalogue
    this.#words = new Map([...catalogue.values()].flat().map((word) => [word.wordId, word]))
    this.#spool = new WordSpool(spoolFolder)
  }

  get clipCount(): number {
    return this.#gathered.length
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
      await this.#spool.put(word.wordId, renderWordClip(clip, cues, index, hits, word.level))
    }
    this.#gathered.push({
      row: {
        ordinal: entry.ordinal,
        clip,
        record: { path: clipPath(entry.clipId, entry.revision), digest: entry.recordDigest },
        transcript: { path: transcriptPath(entry.clipId, entry.revision), digest: entry.transcriptDigest },
      },
      said: saidByBand(index),
    })
  }

  /** The clips of the release by language and ordinal, with their focus words. */
  clipRows(): ClipRow[] {
    return this.#gathered
      .map(({ row, said }): ClipRow => ({ ...row, focus: said.map((words) => this.#focusOf(words)) }))
      .sort((a, b) =>
        a.clip.language < b.clip.language
          ? -1
          : a.clip.language > b.clip.language
            ? 1
            : a.ordinal - b.ordinal,
      )
  }

  /** The pages of the word→clips lists, word by word. */
  async *wordPages(): AsyncGenerator<{ wordId: number; pages: Page[] }> {
    for await (const { wordId, items } of this.#spool.words()) {
      const texts = items.sort(easiestFirst).map((item) => JSON.stringify(item))
      yield { wordId, pages: paginate(wordId, this.#words.get(wordId)!.language, texts) }
    }
  }

  /** The words of the catalogue by id. `pagesOf` are the digests of the pages that were written. */
  wordRows(pagesOf: ReadonlyMap<number, WordRow['pages']>): WordRow[] {
    return [...this.#words.values()]
      .sort((a, b) => a.wordId - b.wordId)
      .map(({ wordId, language, word, level, meanings, forms }) => ({
        wordId,
        language,
        word,
        level,
        meanings,
        forms,
        clipsByLevel: this.#clipsByLevel.get(wordId) ?? levels.map(() => 0),
        pages: pagesOf.get(wordId) ?? [],
      }))
  }

  coverage(): Coverage {
    return coverageOf(
      this.#gathered.map(({ row }) => row.clip),
      this.#catalogue,
      (word) => this.#clipCountOf(word.wordId),
    )
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

  #focusOf(words: readonly Said[]): Focus {
    const focus = focusWord(words.map((word) => ({ ...word, clipCount: this.#clipCountOf(word.wordId) })))
    return focus && [focus.wordId, focus.tStart]
  }
}

function saidByBand(index: ClipIndex): Said[][] {
  return bands.map((band) =>
    [...index.hits]
      .filter(([word]) => word.level === band)
      .map(([word, hits]) => ({
        wordId: word.wordId,
        occurrenceCount: hits.length,
        tStart: hits[0]!.tStart,
      })),
  )
}

function paginate(wordId: number, language: string, items: readonly string[]): Page[] {
  const digest = nameDigest(items.join('\n'))
  const pages = Math.ceil(items.length / itemsPerPage)
  return Array.from({ length: pages }, (_, i) => ({
    path: wordClipsPath(language, wordId, digest, i + 1),
    text: formatWordList(
      { wordId, language, page: i + 1, pages },
      items.slice(i * itemsPerPage, (i + 1) * itemsPerPage),
    ),
  }))
}

/** What a page is listed with. */
export function pageFile({ path, text }: Page): WordRow['pages'][number] {
  return { path, digest: shortDigest(text) }
}
