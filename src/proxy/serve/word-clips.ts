import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levelRank, levels, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange, quoteValue } from '#contract/parameters.ts'
import { shortDigest } from '#kit/digest.ts'
import type { IndexedWord, Release } from '#release/release.ts'
import { itemsPerPage } from '#release/tables.ts'
import { cutWordList } from '#release/word-list.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../cursor.ts'
import { jsonBody } from '../body.ts'
import { isError, type Answer, type Context } from '../handler.ts'
import { levelMask, levelsOfMask } from '../level-mask.ts'
import type { Values } from '../read-parameters.ts'
import { toWord } from '../word-record.ts'
import type { Bodies } from './bodies.ts'

const endpoint = 'word clips'

interface WordClipsValues {
  word: string
  language?: string
  gloss?: Gloss
  level?: Level[]
  limit?: number
  cursor?: string
}

/** A word's list and how far it has been read. */
interface Reading {
  word: IndexedWord | undefined
  levels: readonly Level[]
  position: number
}

/** GET /words/{word}/clips (contract 1.5). */
export function prepareWordClips(bodies: Bodies) {
  return (
    values: Values,
    { release, cursors }: Context,
  ): ErrorAnswer | (() => Promise<Answer | ErrorAnswer>) => {
    const query = values as unknown as WordClipsValues
    const reading =
      query.cursor === undefined
        ? beginReading(query, release)
        : resumeReading(query, query.cursor, release, cursors)
    if (isError(reading)) return reading
    return async () => {
      const { word } = reading
      if (!word) return notFound(`the catalogue has no word ${quoteValue(query.word)} in this language`)
      return await answerWordClips(query, { ...reading, word }, release, cursors, bodies)
    }
  }
}

function beginReading(
  { word, language = defaultLanguage, level = [...levels] }: WordClipsValues,
  release: Release,
): Reading {
  return { word: resolveWord(word, language, release), levels: level, position: 0 }
}

function resumeReading(
  query: WordClipsValues,
  cursor: string,
  release: Release,
  cursors: Cursors,
): Reading | ErrorAnswer {
  const fields = cursors.open(endpoint, cursor)
  if (fields === null || fields[0] !== release.manifest.tree) return unusableCursor()
  const [, wordId, language, mask, position] = fields as [string, number, string, number, number]
  if (query.language !== undefined && query.language !== language) return boundDiffers('language')
  if (query.level !== undefined && levelMask(query.level) !== mask) return boundDiffers('level')
  const word = resolveWord(query.word, language, release)
  // A word that has left the catalogue is 404, not another word.
  if (word?.wordId !== wordId && (word || release.word(wordId))) return boundDiffers('word')
  return { word, levels: levelsOfMask(mask), position }
}

/** The word that a spelling names, else the one whose id the digits are. */
function resolveWord(text: string, language: string, release: Release): IndexedWord | undefined {
  const named = release.language(language)?.named(text)[0]
  if (named || !/^(0|[1-9]\d{0,9})$/.test(text)) return named
  const word = release.word(Number(text))
  return word?.language === language ? word : undefined
}

async function answerWordClips(
  { gloss = defaultGloss, limit = limitRange.default }: WordClipsValues,
  { word, levels: wanted, position }: Reading & { word: IndexedWord },
  release: Release,
  cursors: Cursors,
  bodies: Bodies,
): Promise<Answer> {
  const places = placesOf(word, wanted)
  const end = position + limit
  const items = await readItems(word, places.slice(position, end), release, bodies)
  const nextCursor =
    end < places.length
      ? cursors.seal(endpoint, [release.manifest.tree, word.wordId, word.language, levelMask(wanted), end])
      : null
  const body = jsonBody(
    `{"word":${JSON.stringify(toWord(word, gloss))},"items":[${items.join(',')}],"totalCount":${places.length},"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
  return { body, digest: shortDigest(body) }
}

/** The places in the whole list of the clips of the wanted levels: the list is sorted by level, so each level is a range. */
function placesOf(word: IndexedWord, wanted: readonly Level[]): number[] {
  let start = 0
  return levels.flatMap((level) => {
    const count = word.clipsByLevel[levelRank(level)]!
    const range = wanted.includes(level) ? Array.from({ length: count }, (_, i) => start + i) : []
    start += count
    return range
  })
}

async function readItems(
  word: IndexedWord,
  places: readonly number[],
  release: Release,
  bodies: Bodies,
): Promise<string[]> {
  const pages = new Map<number, string[]>()
  const items: string[] = []
  for (const place of places) {
    const page = Math.floor(place / itemsPerPage)
    if (!pages.has(page)) {
      const body = await bodies.read(release, word.pages[page]!)
      pages.set(page, cutWordList(body.identity.toString('utf8')))
    }
    items.push(pages.get(page)![place % itemsPerPage]!)
  }
  return items
}
