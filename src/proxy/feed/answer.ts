import { randomBytes } from 'node:crypto'
import { maxClipDurationS } from '#contract/clip.ts'
import { invalidParameter } from '#contract/errors.ts'
import { bandOf, bands, levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { Occurrence } from '#contract/word-clips.ts'
import type { Focus } from '#release/clips/layout.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { Release } from '#release/release.ts'
import { textBody, type Body } from '../http/body.ts'
import { isError, type Context, type Handler } from '../http/handler.ts'
import { nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { readKnown, type KnownQuery } from '../known/read-known.ts'
import { atOnce, inTurns } from '../turns.ts'
import { contextOf } from './focus-context.ts'
import { takePage, type FeedFilter, type Page, type PageStart } from './take-page.ts'

type FeedValues = ParameterValues<'getFeed'>
type FeedPage = PageRequest<'getFeed'>

interface Asked {
  values: FeedValues
  page: FeedPage
  /** Null if the request does not say what a learner knows. */
  known: KnownQuery | null
}

/** GET /feed (contract 1.5). */
export const feed: Handler<FeedValues, Asked> = {
  read(values, context) {
    const page = readPage('getFeed', values, context, () => beginFeed(values))
    if (isError(page)) return page
    const known = readKnown(values, context.release, page.bound.language)
    if (known && isError(known)) return known
    if (known && values.level !== undefined)
      return invalidParameter('level', 'level cannot be combined with known: omit one of them')
    return { values, page, known }
  },
  answer: (asked, context) => answerFeed(asked, context),
  /** A page with a generated seed is never requested again, and one for a learner hardly ever. */
  isRepeatable: ({ values, known }) => (values.seed ?? values.cursor) !== undefined && known === null,
}

function beginFeed({ seed }: FeedValues): FeedPage['bound'] {
  // Drawn only if none was sent: random bytes from the system cost a seventh of a page.
  return { language: defaultLanguage, seed: seed ?? randomBytes(16).toString('base64url') }
}

function startOf({ bound, position }: FeedPage, { release }: Context): PageStart {
  const [domain = release.clips.rangeOf(bound.language).domain, from = 0] = position
  return { bound, domain, position: from }
}

function answerFeed({ values, page, known }: Asked, context: Context): Body | Promise<Body> {
  const { release } = context
  const { clips } = release
  const start = startOf(page, context)
  const query: FeedQuery = { values, start, known, release }
  const { limit = limitRange.default } = values
  const taken = takePage(start, clips, { ...filterOf(values, clips), fits: fitsOf(query) }, limit)
  const show = (found: Page) => {
    const items = found.rows.map((row) => itemOf(row, query))
    return values.context
      ? Promise.all(items.map((item) => withContext(item, query, context))).then((all) => pageOf(all, found))
      : pageOf(items, found)
  }
  const pageOf = (items: readonly Item[], { next }: Page) => {
    const cursor = nextCursor('getFeed', start.bound, next === null ? null : [start.domain, next], context)
    const shown = items.map(({ json }) => json)
    return textBody(
      `{"seed":${JSON.stringify(start.bound.seed)},"items":[${shown.join()}],"nextCursor":${JSON.stringify(cursor)}}`,
    )
  }
  return known?.isFiltering ? inTurns(taken).then(show) : show(atOnce(taken))
}

/** A request for a page, and what it is answered from. */
interface FeedQuery {
  values: FeedValues
  start: PageStart
  /** Null if the request does not say what a learner knows. */
  known: KnownQuery | null
  release: Release
}

/** Whether the words of a clip let it through; null if the request does not ask. */
function fitsOf(query: FeedQuery): FeedFilter['fits'] {
  const { known } = query
  const { hasFocusWord } = query.values
  if (!hasFocusWord && !known?.isFiltering) return null
  if (!known) return (row) => focusOf(row, query) !== null
  return (row) => {
    const fit = known.words.fitWithin(row, known)
    return fit !== null && !(hasFocusWord && fit.unknownCount === 0)
  }
}

/** A clip of the page, and its focus word: its row, and when it is first said. */
interface Item {
  row: number
  focus: Focus
  json: string
}

function itemOf(row: number, query: FeedQuery, context?: Occurrence): Item {
  const { known, release, values } = query
  const { clips, words } = release
  const fit = known?.words.fit(row)
  const focus = known ? known.words.newWord() : focusOf(row, query)
  const place = context
    ? JSON.stringify(context).slice(1, -1)
    : `"tStart":${focus === null ? 0 : focus.tStartMs / 1000}`
  const focusWord = focus ? `${words.shown(focus.row, values.gloss ?? defaultGloss)},${place}}` : 'null'
  const fits = fit ? `,"knownShare":${fit.knownShare},"unknownCount":${fit.unknownCount}` : ''
  return { row, focus, json: `{"clip":${clips.json(row)},"focusWord":${focusWord}${fits}}` }
}

/** The item with the line in which its focus word is first said, out of the clip's transcript. */
async function withContext(item: Item, query: FeedQuery, { release, files }: Context): Promise<Item> {
  const { row, focus } = item
  if (!focus) return item
  const { clips, words } = release
  const { first } = words.rangeOf(query.start.bound.language)
  const term = new TermVectorReader()
  clips.readTerms(row, term)
  while (term.nextFirst() && first + term.words[term.place]! !== focus.row);
  const file = await files.read(release, clips.transcriptFile(row))
  return itemOf(row, query, contextOf(JSON.parse(file.bytes.toString()) as Transcript, term))
}

/** The focus word of a clip, unless the request says what a learner knows. */
function focusOf(row: number, { values: { level }, release: { clips } }: FeedQuery): Focus {
  const band = level === undefined ? bandOfLevel[clips.level(row)]! : bands.indexOf(bandOf(level))
  return clips.focusWord(row, band)
}

/** The index of its band among the bands, by the rank of a level. */
const bandOfLevel = levels.map((level) => bands.indexOf(bandOf(level)))

/** Which clips a request wants. A channel id that names nothing has no clips. */
function filterOf(
  { exclude, clipLevel, channel, maxDurationS }: FeedValues,
  clips: ClipTable,
): Omit<FeedFilter, 'fits'> {
  const excluded = new Set(exclude?.map((id) => clips.find(id)))
  if (clipLevel === undefined && channel === undefined && maxDurationS === undefined)
    return { excluded, facets: null }
  const facets = {
    levelMask: levelMask(clipLevel ?? levels),
    channels: channel ? new Set(channel.map((id) => clips.channel(id))) : null,
    maxDurationS: maxDurationS ?? maxClipDurationS,
  }
  return { excluded, facets }
}
