import type { Gloss } from '#contract/glosses.ts'
import { searchFold } from '#language/folds.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { Release } from '#release/release.ts'
import type { Job } from '../turns.ts'
import { rowsByRank, type WordFilter } from './find-words.ts'

/** The ranks of words, best first (contract 1.6); 0 for no match. */
const ranks = { equal: 1, wholeWords: 2, beginning: 3 }

/**
 * Returns the rows of the words with a sense that matches a text, by rank, and ascending within
 * each rank: by `clipCount` descending, then `wordId`.
 */
export async function findByMeaning(
  release: Release,
  q: string,
  { gloss, ...filter }: WordFilter & { gloss: Gloss },
  job: Job,
): Promise<number[]> {
  const senses = await sensesOf(release, filter.language, gloss, job)
  const { first, end } = release.words.rangeOf(filter.language)
  const rankOf = new Uint8Array(end - first)
  const offer = (word: number, rank: number) => {
    if (rankOf[word] === 0 || rank < rankOf[word]!) rankOf[word] = rank
  }
  // The meaning shown may be in the gloss or in English, and each language has its own rules.
  for (const meaningLanguage of new Set([gloss, 'en'])) {
    senses.match(q, meaningLanguage, offer)
    await job.spend((end - first) * workPerMatch)
  }
  return rowsByRank(rankOf, release.words, filter)
}

/** The cost of examining a word, in the units of a job. */
const workPerMatch = 10

/** The senses of a language's words, ready for searching. */
class Senses {
  /** A line feed for each word, and each sense between spaces. */
  readonly #text: string
  /** The position at which each word starts in the text. */
  readonly #starts: Uint32Array
  /** Whether the meaning of each word is in English, because the gloss has none. */
  readonly #isFallback: Uint8Array
  readonly #gloss: Gloss

  constructor(text: string, starts: Uint32Array, isFallback: Uint8Array, gloss: Gloss) {
    this.#text = text
    this.#starts = starts
    this.#isFallback = isFallback
    this.#gloss = gloss
  }

  /** Calls `offer` with the words whose meaning is in a language and matches, and their ranks. */
  match(q: string, language: string, offer: (word: number, rank: number) => void): void {
    const words = wordsOf(q, language)
    if (words === '') return
    const bare = withoutArticle(words, language)
    this.#eachWord(
      words,
      language,
      (at) => {
        if (bare === words && this.#equals(at, bare, language)) return ranks.equal
        if (isUnspaced(language)) return ranks.wholeWords
        if (this.#text[at - 1] !== ' ') return 0
        return this.#text[at + words.length] === ' ' ? ranks.wholeWords : ranks.beginning
      },
      offer,
    )
    // A sense without its article may equal the text without one.
    if (bare !== words)
      this.#eachWord(bare, language, (at) => (this.#equals(at, bare, language) ? ranks.equal : 0), offer)
  }

  /** Offers each word whose senses contain a text, with the best rank among its positions. */
  #eachWord(
    text: string,
    language: string,
    rankAt: (at: number) => number,
    offer: (word: number, rank: number) => void,
  ): void {
    let word = 0
    for (let at = this.#text.indexOf(text); at >= 0;) {
      while (this.#starts[word + 1]! <= at) word++
      const rank = (this.#isFallback[word] ? 'en' : this.#gloss) === language ? rankAt(at) : 0
      if (rank > 0) offer(word, rank)
      const from = rank === ranks.equal ? (this.#starts[word + 1] ?? this.#text.length) : at + 1
      at = this.#text.indexOf(text, from)
    }
  }

  /** Whether the sense at a position equals a text, ignoring an article. */
  #equals(at: number, bare: string, language: string): boolean {
    const end = at + bare.length
    if (this.#text[end] !== ' ' || !/[ \n]/.test(this.#text[end + 1]!)) return false
    // Two spaces separate the senses of a word; a line feed and a space separate words.
    const from = Math.max(this.#text.lastIndexOf('  ', end - 1), this.#text.lastIndexOf('\n', end))
    return withoutArticle(this.#text.slice(from, end).trim(), language) === bare
  }
}

/** Matches brackets without others in them. */
const brackets = /[(（][^()（）]*[)）]|\[[^[\]]*\]/gu
const separators = /[;,/；，、]/u
const betweenWords = /[^\p{L}\p{M}\p{N}]+/gu

/** Returns the senses of a meaning, each with its words between single spaces. */
function sensesIn(meaning: string, language: string): string[] {
  let spokenForm = meaning
  for (let before = ''; spokenForm !== before;) {
    before = spokenForm
    spokenForm = spokenForm.replace(brackets, ' ')
  }
  return spokenForm.split(separators).map((sense) => wordsOf(sense, language))
}

function wordsOf(text: string, language: string): string {
  return searchFold(text, language).replace(betweenWords, ' ').trim()
}

function withoutArticle(words: string, language: string): string {
  return language === 'en' ? words.replace(/^(?:to|a|an|the) (?=.)/, '') : words
}

const caches = new WeakMap<Release, Map<string, Promise<Senses>>>()

/** Returns the senses of a language, which are collected in turns when they are first searched. */
function sensesOf(release: Release, language: string, gloss: Gloss, job: Job): Promise<Senses> {
  const cache = caches.getOrInsertComputed(release, () => new Map<string, Promise<Senses>>())
  const key = `${language} ${gloss}`
  return cache.getOrInsertComputed(key, () =>
    job.run(collectSenses(release, language, gloss), workPerWord).catch((error: unknown) => {
      // A fault of the disk may have passed by the next search.
      cache.delete(key)
      throw error
    }),
  )
}

/** The cost of collecting the senses of a word, in the units of a job. */
const workPerWord = 3_000
/** The number of words to process between two yields. */
const wordsAtOnce = 64

function* collectSenses({ words }: Release, language: string, gloss: Gloss): Generator<number, Senses> {
  const { first, end } = words.rangeOf(language)
  const starts = new Uint32Array(end - first)
  const isFallback = new Uint8Array(end - first)
  const pieces: string[] = []
  let length = 0
  for (let row = first; row < end; row++) {
    const ownMeaning = words.meaning(row, gloss)
    const [meaning, meaningLanguage] =
      ownMeaning === '' ? [words.meaning(row, 'en'), 'en'] : [ownMeaning, gloss]
    starts[row - first] = length
    isFallback[row - first] = Number(meaningLanguage !== gloss)
    const piece = `\n${sensesIn(meaning, meaningLanguage)
      .map((sense) => ` ${sense} `)
      .join('')}`
    pieces.push(piece)
    length += piece.length
    if ((row - first) % wordsAtOnce === wordsAtOnce - 1) yield wordsAtOnce
  }
  return new Senses(`${pieces.join('')}\n`, starts, isFallback, gloss)
}
