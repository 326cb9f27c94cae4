import { setImmediate } from 'node:timers/promises'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { pieceOf } from '#kit/byte-writer.ts'
import type { Release } from '#release/release.ts'
import type { PageRun } from '#release/lists/layout.ts'
import { cutItems, joinItems, mergeItems, writeItems } from '#release/lists/reader.ts'
import type { Cut } from '#release/words/clip-lists.ts'
import type { WordTable } from '#release/words/reader.ts'
import { writtenBody } from '../http/body.ts'
import { isError, type Handler } from '../http/handler.ts'
import { boundDiffers, Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { writeWordRecord } from '../word-record.ts'
import { resolveWord, unknownWord } from './resolve-word.ts'

const pagination = new Pagination('listWordClips')

type WordClipsValues = ParameterValues<'listWordClips'>
type WordClipsPage = PageRequest<'listWordClips'>

/** The page of a word's list that begins at `start`; `row` is −1 for an unknown word. */
interface ListPage extends Pick<WordClipsPage, 'bound'> {
  row: number
  start: number
}

/** GET /words/{word}/clips (contract 1.5). */
export const wordClips: Handler<WordClipsValues, ListPage & { values: WordClipsValues }> = {
  read(values, context) {
    const request = pagination.read(values, context, beginList)
    if (isError(request)) return request
    const { release } = context
    const { bound } = request
    const row = resolveWord(values.word, bound.language, release)
    const [wordId, start = 0] = request.position
    if (wordId !== undefined && isAnotherWord(row, wordId, release)) return boundDiffers('word')
    return { values, row, start, bound }
  },
  async answer({ values, ...list }, context) {
    const { release } = context
    const { words, clips } = release
    const { row, bound } = list
    const { limit = limitRange.default, gloss = defaultGloss } = values
    if (row < 0) return unknownWord(values.word, bound.language, release)
    const { cuts, totalCount, next } = planPage(list, limit, words)
    const all = await readCuts(cuts, release)
    return writtenBody((out) => {
      out.piece(beforeWord)
      writeWordRecord(out, words, row, gloss)
      out.piece(beforeItems)
      for (const [i, items] of all.entries()) {
        if (i > 0) out.byte(comma)
        writeItems(out, items, clips)
      }
      const position = next === null ? null : [words.wordId(row), next]
      const cursor = pagination.nextCursor({ bound }, position, context)
      out.text(`],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`)
    })
  },
}

function beginList(): WordClipsPage['bound'] {
  return { language: defaultLanguage, level: [...levels] }
}

/** Whether a cursor is of another word. One of a word that has left the catalogue gives 404. */
function isAnotherWord(row: number, wordId: number, { words }: Release): boolean {
  return row < 0 ? words.find(wordId) >= 0 : words.wordId(row) !== wordId
}

const beforeWord = pieceOf('{"word":')
const beforeItems = pieceOf(',"items":[')
const comma = 44

/** Where the items of a page are published, and where the next one starts: null after the last. */
function planPage({ row, start, bound }: ListPage, limit: number, words: WordTable) {
  const ranges = rangesOf(words.clipsByLevel(row), levelMask(bound.level))
  const totalCount = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const end = start + limit
  return {
    cuts: cutRanges(ranges, start, limit).map((range) => words.cut(row, range.start, range.end)),
    totalCount,
    next: end < totalCount ? end : null,
  }
}

/** The items of each cut. Between several runs of items, other requests have their turn. */
async function readCuts(cuts: readonly Cut[], release: Release): Promise<Buffer[]> {
  const readAll = async (runs: readonly PageRun[]): Promise<Buffer> => {
    const found: Buffer[] = []
    for (const { path, from, to, skip, count, digest } of runs) {
      if (found.length > 0) await setImmediate()
      found.push(cutItems(await release.readRange(path, from, to, digest), skip, count))
    }
    return joinItems(found)
  }
  const found: Buffer[] = []
  for (const cut of cuts) {
    if (found.length > 0) await setImmediate()
    // From an origin both arrive together; from a folder each has a turn of its own.
    const [base, later] = await Promise.all([
      readAll(cut.base),
      cut.later.length > 0 ? setImmediate().then(() => readAll(cut.later)) : joinItems([]),
    ])
    found.push(mergeItems(base, later, cut))
  }
  return found
}

interface Range {
  start: number
  end: number
}

/**
 * Where the clips of the wanted levels are in the list. It is sorted by level, so each level is a
 * range; adjacent ranges are joined.
 */
function rangesOf(clipsByLevel: readonly number[], mask: number): Range[] {
  const ranges: Range[] = []
  let start = 0
  for (const [rank, count] of clipsByLevel.entries()) {
    const end = start + count
    const last = ranges.at(-1)
    if (mask & (1 << rank) && count > 0) {
      if (last?.end === start) last.end = end
      else ranges.push({ start, end })
    }
    start = end
  }
  return ranges
}

/** `limit` places from `position` on, where the ranges are laid end to end. */
function cutRanges(ranges: readonly Range[], position: number, limit: number): Range[] {
  let before = 0
  return ranges.flatMap(({ start, end }) => {
    const from = start + Math.max(0, position - before)
    const to = Math.min(end, start + position + limit - before)
    before += end - start
    return from < to ? [{ start: from, end: to }] : []
  })
}
