import { randomBytes } from 'node:crypto'
import { isError, invalidParameter } from '#contract/errors.ts'
import { bandOf, bands, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { toByteText, withCommas } from '#kit/byte-text.ts'
import type { Release } from '#release/release.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { fitFields, type Fit, type TaughtWord } from '../filter/known-words.ts'
import { readFilter, type ClipFilter } from '../filter/clip-filter.ts'
import { mapTranscripts } from '../transcripts/map-transcripts.ts'
import { atOnce } from '../turns.ts'
import { contextOf } from './focus-context.ts'
import { takePage, type Page, type PageFilter } from './take-page.ts'

type FeedValues = ParameterValues<'getFeed'>
type FeedPage = PageRequest<'getFeed'>

/** A request for a page. */
interface Asked {
  values: FeedValues
  page: FeedPage
  filter: ClipFilter
}

/** GET /feed (contract 1.5). */
export const feed: Handler<FeedValues, Asked> = {
  read(values, context) {
    const page = readPage('getFeed', values, context, () => beginFeed(values))
    if (isError(page)) return page
    const filter = readFilter(values, context.release, page.boundValues.language)
    if (isError(filter)) return filter
    if (filter.known && values.level !== undefined)
      return invalidParameter('level', 'level cannot be combined with known. Omit one of them.')
    return { values, page, filter }
  },
  answer(request, context) {
    const { values, filter } = request
    const { boundValues, position } = request.page
    const { release } = context
    const [domain = release.clips.rangeOf(boundValues.language).domain, from = 0] = position
    const start = { boundValues, domain, position: from }
    const filters = pageFilter(request, release)
    const paging = takePage(start, release.clips, filters, values.limit ?? limitRange.default)
    const show = ({ rows, next }: Page) => {
      const cursor = nextCursor('getFeed', boundValues, next === null ? null : [domain, next], context)
      const bodyOf = (items: readonly string[]) =>
        new Body(
          `{"seed":${toByteText(JSON.stringify(boundValues.seed))},"items":[${withCommas(items)}],"nextCursor":${JSON.stringify(cursor)}}`,
        )
      return values.context
        ? itemsWithContext(rows, request, context).then(bodyOf)
        : bodyOf(rows.map((row) => itemOf(row, teachingIn(row, request, release), request, release)))
    }
    // Finding the words of many clips takes several turns.
    return filter.known && filters.isBounding ? context.job.run(paging).then(show) : show(atOnce(paging))
  },
  /**
   * A page with a generated seed is never requested again, and a page for a learner hardly ever.
   */
  isRepeatable: ({ values, filter }) => (values.seed ?? values.cursor) !== undefined && filter.known === null,
}

function beginFeed({ seed }: FeedValues): FeedPage['boundValues'] {
  // Generated only if none was sent, because random bytes from the system cost a seventh of a page.
  return { language: defaultLanguage, seed: seed ?? randomBytes(16).toString('base64url') }
}

/** Returns the filter of a page: with `hasFocusWord`, it accepts only clips with a focus word. */
function pageFilter({ values: { hasFocusWord, level }, filter }: Asked, release: Release): PageFilter {
  if (!hasFocusWord) return filter
  const accepts = filter.known
    ? (row: number) => filter.accepts(row, 1)
    : (row: number) => filter.accepts(row) && focusOf(row, level, release) !== null
  return { accepts, isBounding: true, workOf: (row) => filter.workOf(row) }
}

/** The value of a clip to a learner: its focus word and, with `known`, how well it fits. */
interface Teaching {
  focus: TaughtWord
  fit: Fit | null
}

function teachingIn(row: number, { values: { level }, filter }: Asked, release: Release): Teaching {
  const { known } = filter
  if (!known) return { focus: focusOf(row, level, release), fit: null }
  const fit = known.words.fit(row)
  return { focus: known.words.newWord(), fit }
}

/** Returns the focus word of a clip for a learner at a level. */
function focusOf(row: number, level: FeedValues['level'], { clips, words }: Release): TaughtWord {
  const band = level === undefined ? bandOfLevel[clips.level(row)]! : bands.indexOf(bandOf(level))
  const focus = clips.focusWord(row, band)
  return focus && { row: words.rowOf(focus.number), tStartMs: focus.tStartMs }
}

/** Maps a level's rank to the index of its band. */
const bandOfLevel = levels.map((level) => bands.indexOf(bandOf(level)))

/** Returns an item of the page. `place` contains the fields for the position of its focus word. */
function itemOf(
  row: number,
  { focus, fit }: Teaching,
  { values: { gloss = defaultGloss } }: Asked,
  { clips, words }: Release,
  place = `"tStart":${focus && focus.tStartMs / 1000}`,
): string {
  const focusWord = focus ? `${words.openingOf(focus.row, gloss)},${place}}` : 'null'
  return `{"clip":${clips.json(row)},"focusWord":${focusWord}${fitFields(fit)}}`
}

/** The cost of showing the sentence of an item, in the units of a job. */
const workPerContext = 20_000

/** Returns the items with the lines in which their focus words first occur. */
async function itemsWithContext(
  rows: readonly number[],
  request: Asked,
  context: Context,
): Promise<string[]> {
  const { release } = context
  const { gloss = defaultGloss } = request.values
  const { language } = request.page.boundValues
  const items = rows.map((row) => ({ row, teaching: teachingIn(row, request, release) }))
  const itemsWithFocus = items.filter(({ teaching }) => teaching.focus !== null)
  const rowsWithFocus = itemsWithFocus.map(({ row }) => row)
  const lines = await mapTranscripts(rowsWithFocus, context, workPerContext, (transcript, i) => {
    const { row, teaching } = itemsWithFocus[i]!
    const line = contextOf(transcript, row, teaching.focus!.row, { language, gloss }, release)
    return toByteText(JSON.stringify(line).slice(1, -1))
  })
  const linesByRow = new Map(rowsWithFocus.map((row, i) => [row, lines[i]!]))
  return items.map(({ row, teaching }) => itemOf(row, teaching, request, release, linesByRow.get(row)))
}
