import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange, quoteValue } from '#contract/parameters.ts'
import { shortDigest } from '#kit/digest.ts'
import type { Release } from '#release/release.ts'
import { cutItems, showClips } from '#release/word-list.ts'
import type { Run } from '#release/word-table.ts'
import type { Answers } from '../answers.ts'
import { jsonBody } from '../body.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../cursor.ts'
import { isError, type Answer, type Context, type LookUp } from '../handler.ts'
import { levelMask } from '../level-mask.ts'
import type { Values } from '../read-parameters.ts'
import { wordRecord } from '../word-record.ts'

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
  /** Its row; −1 where there is none. */
  word: number
  /** Bit 0 is A1. */
  levels: number
  position: number
}

/** GET /words/{word}/clips (contract 1.5). */
export function prepareWordClips(answers: Answers) {
  return (values: Values, context: Context): ErrorAnswer | LookUp => {
    const { release, cursors } = context
    const query = values as unknown as WordClipsValues
    const reading =
      query.cursor === undefined
        ? beginReading(query, release)
        : resumeReading(query, query.cursor, release, cursors)
    if (isError(reading)) return reading
    return () =>
      reading.word < 0
        ? notFound(`the catalogue has no word ${quoteValue(query.word)} in this language`)
        : answerWordClips(query, reading, context, answers)
  }
}

function beginReading(
  { word, language = defaultLanguage, level = [...levels] }: WordClipsValues,
  release: Release,
): Reading {
  return { word: resolveWord(word, language, release), levels: levelMask(level), position: 0 }
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
  const isAnother = word < 0 ? release.words.find(wordId) >= 0 : release.words.wordId(word) !== wordId
  if (isAnother) return boundDiffers('word')
  return { word, levels: mask, position }
}

/** The word that a spelling names, else the one whose id the digits are. */
function resolveWord(text: string, language: string, { words }: Release): number {
  const named = words.named(text, language)[0]
  if (named !== undefined) return named
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) return -1
  const word = words.find(Number(text))
  return word >= 0 && words.language(word) === language ? word : -1
}

function answerWordClips(
  { gloss = defaultGloss, limit = limitRange.default }: WordClipsValues,
  reading: Reading,
  context: Context,
  answers: Answers,
): Answer | Promise<Answer> {
  const { release } = context
  const query = `${reading.word} ${gloss} ${reading.levels} ${reading.position} ${limit}`
  const kept = answers.get(release, query)
  if (kept) return kept
  return readPage(reading, gloss, limit, context).then((body) =>
    answers.keep(release, query, body, shortDigest(body)),
  )
}

async function readPage(
  { word, levels: mask, position }: Reading,
  gloss: Gloss,
  limit: number,
  { release, cursors }: Context,
): Promise<Buffer> {
  const { words, clips } = release
  const ranges = rangesOf(words.clipsByLevel(word), mask)
  const totalCount = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const runs = cutRanges(ranges, position, limit).flatMap(({ start, end }) => words.runs(word, start, end))
  const items = await Promise.all(runs.map((run) => readRun(run, release)))
  const end = position + limit
  const nextCursor =
    end < totalCount
      ? cursors.seal(endpoint, [release.manifest.tree, words.wordId(word), words.language(word), mask, end])
      : null
  const shown = items.map((run) => showClips(run, (clipId) => clips.clipJson(clips.find(clipId))))
  return jsonBody(
    `{"word":${wordRecord(words, word, gloss)},"items":[${shown.join(',')}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

interface Range {
  start: number
  end: number
}

/** The places in the whole list of the clips of the wanted levels: the list is sorted by level, so each level is a range; neighbours are one. */
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

/** What is left of ranges, laid end to end, from a position on. */
function cutRanges(ranges: readonly Range[], position: number, limit: number): Range[] {
  let before = 0
  return ranges.flatMap(({ start, end }) => {
    const from = start + Math.max(0, position - before)
    const to = Math.min(end, start + position + limit - before)
    before += end - start
    return from < to ? [{ start: from, end: to }] : []
  })
}

async function readRun({ path, from, to, skip, count }: Run, release: Release): Promise<string> {
  return cutItems(await release.readRange(path, from, to), skip, count).toString()
}
