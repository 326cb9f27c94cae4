import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { Release } from '#release/release.ts'
import { idLength } from '#release/clips/layout.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { itemOpening, itemsOf } from '#release/words/pages.ts'
import type { PageCut, WordTable } from '#release/words/reader.ts'
import { textBody } from '../http/body.ts'
import { isError, type Context, type Handler } from '../http/handler.ts'
import { boundDiffers, Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { wordRecord } from '../word-record.ts'
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
    const items = await Promise.all(cuts.map((cut) => readItems(cut, context)))
    const shown = items.flat().map((item) => withClip(item, clips))
    const position = next === null ? null : [words.wordId(row), next]
    const cursor = pagination.nextCursor({ bound }, position, context)
    return textBody(
      `{"word":${wordRecord(words, row, gloss)},"items":[${shown.join()}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`,
    )
  },
}

function beginList(): WordClipsPage['bound'] {
  return { language: defaultLanguage, level: [...levels] }
}

/** Whether a cursor is of another word. One of a word that has left the catalogue gives 404. */
function isAnotherWord(row: number, wordId: number, { words }: Release): boolean {
  return row < 0 ? words.find(wordId) >= 0 : words.wordId(row) !== wordId
}

async function readItems(cut: PageCut, { release, files }: Context): Promise<string[]> {
  const page = await files.read(release, cut)
  return itemsOf(page.bytes, cut.from, cut.to)
}

/**
 * An item as an answer shows it, with the JSON of the clip in the place of its id.
 *
 * @throws {Error} the table lacks the clip
 */
function withClip(item: string, clips: ClipTable): string {
  const end = itemOpening.length + idLength
  const row = clips.findClip(item.slice(itemOpening.length, end))
  if (row < 0) throw new Error('cannot show a list of clips: the release lacks one of them')
  return `${itemOpening.slice(0, -1)}${clips.json(row)}${item.slice(end + 1)}`
}

/** Where the items of a page are published, and where the next one starts: null after the last. */
function planPage({ row, start, bound }: ListPage, limit: number, words: WordTable) {
  const ranges = rangesOf(words.clipsByLevel(row), levelMask(bound.level))
  const totalCount = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const end = start + limit
  return {
    cuts: cutRanges(ranges, start, limit).flatMap((range) => words.cut(row, range.start, range.end)),
    totalCount,
    next: end < totalCount ? end : null,
  }
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
