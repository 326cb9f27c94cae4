import { setImmediate } from 'node:timers/promises'
import type { ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { pieceOf, type ByteWriter } from '#kit/byte-writer.ts'
import type { Release } from '#release/release.ts'
import type { PageRun } from '#release/lists/layout.ts'
import { cutItems, joinItems, mergeItems, writeItems } from '#release/lists/reader.ts'
import type { Cut } from '#release/words/clip-lists.ts'
import type { WordTable } from '#release/words/reader.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { isError, type Answer, type Context, type LookUp } from '../http/handler.ts'
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
export function prepareWordClips(answers: AnswerCache) {
  return (values: WordClipsValues, context: Context): ErrorAnswer | LookUp => {
    const request = pagination.read(values, context, beginList)
    if (isError(request)) return request
    const { release } = context
    const row = resolveWord(values.word, request.bound.language, release)
    const [wordId, start = 0] = request.position
    if (wordId !== undefined && isAnotherWord(row, wordId, release)) return boundDiffers('word')
    return () =>
      row < 0
        ? unknownWord(values.word, request.bound.language, release)
        : answerWordClips(values, request, { row, start, bound: request.bound }, context, answers)
  }
}

function beginList(): WordClipsPage['bound'] {
  return { language: defaultLanguage, level: [...levels] }
}

/** Whether a cursor is of another word. One of a word that has left the catalogue gives 404. */
function isAnotherWord(row: number, wordId: number, { words }: Release): boolean {
  return row < 0 ? words.find(wordId) >= 0 : words.wordId(row) !== wordId
}

function answerWordClips(
  values: WordClipsValues,
  request: WordClipsPage,
  list: ListPage,
  context: Context,
  answers: AnswerCache,
): Answer | Promise<Answer> {
  const { release } = context
  const key = pagination.cacheKey(values, request)
  const cached = answers.get(release, key)
  if (cached) return cached
  const page = planPage(list, values.limit ?? limitRange.default, release.words)
  const answer = (items: readonly Buffer[]): Answer =>
    answers.write(release, key, (out) => {
      writePage(out, list, values.gloss ?? defaultGloss, page, items, context)
    })
  const items = readCuts(page.cuts, release)
  return items instanceof Promise ? items.then(answer) : answer(items)
}

const beforeWord = pieceOf('{"word":')
const beforeItems = pieceOf(',"items":[')
const comma = 44

/** Where the items of a page are published. */
interface Page {
  cuts: Cut[]
  totalCount: number
  /** Where the next page starts; null if this is the last. */
  next: number | null
}

function planPage({ row, start, bound }: ListPage, limit: number, words: WordTable): Page {
  const ranges = rangesOf(words.clipsByLevel(row), levelMask(bound.level))
  const totalCount = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const end = start + limit
  return {
    cuts: cutRanges(ranges, start, limit).map((range) => words.cut(row, range.start, range.end)),
    totalCount,
    next: end < totalCount ? end : null,
  }
}

/**
 * The items of each cut. Most pages are one run of items. Between several runs, other requests have
 * their turn.
 */
function readCuts(cuts: readonly Cut[], release: Release): Buffer[] | Promise<Buffer[]> {
  const run = onlyRun(cuts)
  if (!run) return readOneByOne(cuts, release)
  const items = readRun(run, release)
  return items instanceof Promise ? items.then((bytes) => [bytes]) : [items]
}

/** The run, if the cuts are a single one and none of its items is gone. */
function onlyRun([cut, ...others]: readonly Cut[]): PageRun | undefined {
  if (!cut || others.length > 0 || cut.base.length > 1 || cut.later.length > 0 || cut.gone.length > 0)
    return undefined
  return cut.base[0]
}

async function readOneByOne(cuts: readonly Cut[], release: Release): Promise<Buffer[]> {
  const readAll = async (runs: readonly PageRun[]): Promise<Buffer> => {
    const found: Buffer[] = []
    for (const run of runs) {
      found.push(await readRun(run, release))
      await setImmediate()
    }
    return joinItems(found)
  }
  const found: Buffer[] = []
  for (const cut of cuts) {
    // From an origin both arrive together; from a folder each has a turn of its own.
    const [base, later] = await Promise.all([
      readAll(cut.base),
      setImmediate().then(() => readAll(cut.later)),
    ])
    found.push(mergeItems(base, later, cut))
  }
  return found
}

function readRun(
  { path, from, to, skip, count, digest }: PageRun,
  release: Release,
): Buffer | Promise<Buffer> {
  const bytes = release.readRange(path, from, to, digest)
  return bytes instanceof Promise
    ? bytes.then((read) => cutItems(read, skip, count))
    : cutItems(bytes, skip, count)
}

function writePage(
  out: ByteWriter,
  { row, bound }: ListPage,
  gloss: Gloss,
  { totalCount, next }: Page,
  cuts: readonly Buffer[],
  context: Context,
): void {
  const { words, clips } = context.release
  out.piece(beforeWord)
  writeWordRecord(out, words, row, gloss)
  out.piece(beforeItems)
  for (const [i, items] of cuts.entries()) {
    if (i > 0) out.byte(comma)
    writeItems(out, items, clips)
  }
  const position = next === null ? null : [words.wordId(row), next]
  const cursor = pagination.nextCursor({ bound }, position, context)
  out.text(`],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`)
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
