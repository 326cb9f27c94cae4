import { isError } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { examinedItemsMax, type Occurrence, type WordClipPage } from '#contract/word-clips.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { toByteText, withCommas } from '#kit/byte-text.ts'
import { separatorOf } from '#language/unspaced.ts'
import { idLength } from '#release/clips/layout.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { TranscriptReader } from '#release/clips/transcript-reader.ts'
import { resolveWord } from '#release/resolve-word.ts'
import { itemOpening, itemsOf } from '#release/words/pages.ts'
import type { PageCut } from '#release/words/reader.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { boundDiffers, nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import type { Fit } from '../filter/known-words.ts'
import { readFilter, workPerPage, type ClipFilter } from '../filter/clip-filter.ts'
import { mapTranscripts } from '../transcripts/map-transcripts.ts'
import { sentenceContext } from '../transcripts/sentence-context.ts'
import { readRun, type SpokenRun } from '../transcripts/token-places.ts'
import { unknownWord } from './word.ts'

type WordClipsValues = ParameterValues<'listWordClips'>

interface Asked {
  values: WordClipsValues
  page: PageRequest<'listWordClips'>
  /** The row of the word; −1 for an unknown word. */
  row: number
  filter: ClipFilter
}

/** GET /words/{word}/clips (contract 1.5). */
export const wordClips: Handler<WordClipsValues, Asked> = {
  read(values, context) {
    const defaults = { language: defaultLanguage, level: [...levels] }
    const page = readPage('listWordClips', values, context, () => defaults)
    if (isError(page)) return page
    const { release } = context
    const row = resolveWord(values.word, page.boundValues.language, release)
    const [wordId] = page.position
    // Both are −1 for a cursor of a word that is no longer in the catalogue, which results in 404.
    if (wordId !== undefined && release.words.find(wordId) !== row) return boundDiffers('word', values.word)
    const filter = readFilter(values, release, page.boundValues.language)
    return isError(filter) ? filter : { values, page, row, filter }
  },
  async answer({ values, page, row, filter }, context) {
    const { words } = context.release
    const { boundValues, position } = page
    const { limit = limitRange.default, gloss = defaultGloss } = values
    if (row < 0) return unknownWord(values.word, boundValues.language, context.release)
    const list = { row, mask: levelMask(boundValues.level), clipsByLevel: words.clipsByLevel(row) }
    const [, start = 0] = position
    const { items, next } = await takePage(list, start, limit, filter, context)
    const itemTexts = values.context
      ? await withContext(items, boundValues.language, gloss, context)
      : items.map(({ json }) => json)
    const totalCount = filter.isFiltering ? null : lengthOf(list)
    const end = next === null ? null : [words.wordId(row), next]
    const cursor = nextCursor('listWordClips', boundValues, end, context)
    return new Body(
      `{"word":${words.record(row, gloss)},"items":[${withCommas(itemTexts)}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`,
    )
  },
  isRepeatable: ({ filter }) => filter.known === null,
}

/** The list of a word, limited to clips with the given levels. */
interface List {
  row: number
  mask: number
  clipsByLevel: Uint32Array
}

/** An item of a page, with its JSON as a byte text. */
interface Item {
  row: number
  json: string
}

/** The number of items to read at a time when searching for those that pass the filter. */
const stepItems = 256
/** The cost of reading an item from a page that is not cached, in the units of a job. */
const workPerItem = 3000

/**
 * Returns the items from a position on: all of them, or those of the clips that pass the filter. A
 * page with a filter examines at most `examinedItemsMax` items, or fewer if clips are long, so that
 * its cost is bounded. `next` is the start of the next page, or null after the last.
 */
async function takePage(
  list: List,
  start: number,
  limit: number,
  filter: ClipFilter,
  context: Context,
): Promise<{ items: Item[]; next: number | null }> {
  const { clips } = context.release
  const length = lengthOf(list)
  const end = Math.min(length, start + (filter.isFiltering ? examinedItemsMax : limit))
  const items: Item[] = []
  let work = 0
  const passes = (row: number) => {
    work += filter.workOf(row)
    return filter.accepts(row)
  }
  for (let at = start; at < end; at += stepItems) {
    if (work >= workPerPage) return { items, next: at }
    const workBefore = work
    const batch = await readItems(list, at, Math.min(stepItems, end - at), context)
    for (const [i, item] of batch.entries()) {
      const row = clips.findClip(item.slice(itemOpening.length, clipEnd), passes)
      work += workPerItem
      // A clip that the release lacks is treated like one that the filter excludes.
      if (row < 0 && filter.isFiltering) continue
      if (row < 0) throw new Error('cannot show a list of clips: the release lacks one of them')
      if (items.length === limit) return { items, next: at + i }
      items.push({ row, json: shownItem(item, row, clips, filter.fit(row)) })
    }
    if (filter.isFiltering) await context.job.spend(work - workBefore)
  }
  return { items, next: end < length ? end : null }
}

/** Returns the items at `count` positions from `start` on, as byte texts. */
async function readItems(
  list: List,
  start: number,
  count: number,
  { release, files }: Context,
): Promise<string[]> {
  const ranges = rangesOf(list, start, count)
  const cuts = ranges.flatMap((range) => release.words.cut(list.row, range.start, range.end))
  const read = async (pageCut: PageCut) =>
    itemsOf((await files.read(release, pageCut)).byteText, pageCut.from, pageCut.to)
  return (await Promise.all(cuts.map(read))).flat()
}

/** The cost of showing the sentences of an item, in the units of a job. */
const workPerContext = 40_000

/** The fields of an item from the occurrences on. */
type LastFields = Pick<WordClipPage['items'][number], 'occurrences' | 'unknownCount'>

/** Returns the items with the sentences of their occurrences. */
async function withContext(
  items: readonly Item[],
  language: string,
  gloss: Gloss,
  context: Context,
): Promise<string[]> {
  const rows = items.map(({ row }) => row)
  return await mapTranscripts(rows, context, workPerContext, (transcript, i) => {
    const { json } = items[i]!
    const at = json.indexOf('"occurrences":')
    const fields = JSON.parse(`{${Buffer.from(json.slice(at), 'latin1').toString()}`) as LastFields
    const runs: SpokenRun[] = []
    for (const occurrence of fields.occurrences) runs.push(runOf(occurrence, runs, transcript, language))
    const occurrences = fields.occurrences.map((occurrence, k) => ({
      ...occurrence,
      ...sentenceContext(transcript, runs[k]!, language, gloss),
    }))
    return json.slice(0, at) + toByteText(JSON.stringify({ ...fields, occurrences }).slice(1))
  })
}

/**
 * Returns the tokens of an occurrence. If several runs match it, returns the first one that does
 * not belong to an earlier occurrence.
 *
 * @throws {RangeError} the transcript does not contain it
 */
function runOf(
  { tStart, form, text, start }: Occurrence,
  earlier: readonly SpokenRun[],
  transcript: TranscriptReader,
  language: string,
): SpokenRun {
  const separator = separatorOf(language)
  for (let cue = 0; transcript.hasCue(cue); cue++) {
    const times = transcript.times(cue)
    // No later cue starts earlier.
    if (times.tStart > tStart) break
    if (times.tEnd < tStart || transcript.text(cue) !== text) continue
    for (const inCue of transcript.placesAt(cue, tStart)) {
      const word = transcript.word(cue, inCue)
      if (!form.startsWith(word.text)) continue
      if (word.start !== undefined && word.start !== start) continue
      if (earlier.some(({ first }) => first.cue === cue && first.inCue === inCue)) continue
      let last = inCue
      let runText = word.text
      while (runText.length < form.length && transcript.words(cue)[last + 1])
        runText += separator + transcript.words(cue)[++last]!.text
      if (runText === form) return readRun({ cue, inCue }, { cue, inCue: last }, transcript)
    }
  }
  throw new RangeError(`cannot show what is said at ${tStart} s: the transcript has no such token`)
}

const clipEnd = itemOpening.length + idLength

/**
 * Returns an item as a response shows it: with the JSON of the clip instead of its id and, if the
 * request lists known words, with how well the clip suits the learner.
 */
function shownItem(item: string, row: number, clips: ClipTable, fit: Fit | null): string {
  const rest = item.slice(clipEnd + 1)
  const restWithFit = fit
    ? `${rest.replace(/^,"knownShare":[\d.]+/, `,"knownShare":${fit.knownShare}`).slice(0, -1)},"unknownCount":${fit.unknownCount}}`
    : rest
  return `${itemOpening.slice(0, -1)}${clips.json(row)}${restWithFit}`
}

/** Returns the number of clips in a list at its levels. */
function lengthOf({ mask, clipsByLevel }: List): number {
  return clipsByLevel.reduce((sum, count, rank) => sum + ((mask >> rank) & 1 ? count : 0), 0)
}

/**
 * Returns the ranges of the word's list that contain `count` of the clips at the list's levels,
 * from a position on. The list is sorted by level, so each level is a range.
 */
function rangesOf({ mask, clipsByLevel }: List, position: number, count: number) {
  const ranges: { start: number; end: number }[] = []
  /**
   * The number of clips before a level in the list, and the number of those with the given levels.
   */
  let [before, matchingBefore] = [0, 0]
  for (const [rank, size] of clipsByLevel.entries()) {
    if ((mask >> rank) & 1) {
      const start = Math.max(position - matchingBefore, 0)
      const end = Math.min(position + count - matchingBefore, size)
      if (start < end) ranges.push({ start: before + start, end: before + end })
      matchingBefore += size
    }
    before += size
  }
  return ranges
}
