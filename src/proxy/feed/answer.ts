import { randomBytes } from 'node:crypto'
import { maxClipDurationS } from '#contract/clip.ts'
import { invalidParameter } from '#contract/errors.ts'
import { bandOf, bands, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { Release } from '#release/release.ts'
import { textBody, type Body } from '../http/body.ts'
import { isError, type Context, type Handler } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import type { KnownWords } from '../known/known-words.ts'
import { knownWords, passes, readKnown, type KnownQuery } from '../known/read-known.ts'
import { levelMask } from '../level-mask.ts'
import { atOnce, inTurns } from '../turns.ts'
import { takePage, type FeedFilter, type Page, type PageStart } from './take-page.ts'

const pagination = new Pagination('getFeed')

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
    const page = pagination.read(values, context, () => beginFeed(values))
    if (isError(page)) return page
    const known = readKnown(values)
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
  const { clips } = context.release
  const start = startOf(page, context)
  const learner = known && knownWords(known, context.release.words, start.bound.language)
  const fits = known?.isFiltering ? (row: number) => passes(learner!.fit(clips.termVector(row)), known) : null
  const { limit = limitRange.default } = values
  const taken = takePage(start, clips, { ...filterOf(values, clips), fits }, limit)
  const show = (found: Page) => textBody(pageOf(found, values, start, learner, context))
  return fits ? inTurns(taken).then(show) : show(atOnce(taken))
}

function pageOf(
  { rows, next }: Page,
  values: FeedValues,
  start: PageStart,
  learner: KnownWords | null,
  context: Context,
): string {
  const { clips } = context.release
  const items = rows.map((row) => {
    const focusWord = focusWordOf(row, values, learner, context.release)
    const item = `"clip":${clips.json(row)},"focusWord":${focusWord}`
    if (!learner) return `{${item}}`
    const { knownShare, unknownCount } = learner.fit(clips.termVector(row))
    return `{${item},"knownShare":${knownShare},"unknownCount":${unknownCount}}`
  })
  const cursor = pagination.nextCursor(start, next === null ? null : [start.domain, next], context)
  return `{"seed":${JSON.stringify(start.bound.seed)},"items":[${items.join()}],"nextCursor":${JSON.stringify(cursor)}}`
}

/** The JSON of the focus word of a clip. */
function focusWordOf(
  row: number,
  { level, gloss = defaultGloss }: FeedValues,
  learner: KnownWords | null,
  { clips, words }: Release,
): string {
  const found = learner
    ? learner.newWord(() => clips.termVector(row))
    : clips.focusWord(
        row,
        level === undefined ? bandOfLevel[clips.level(row)]! : bands.indexOf(bandOf(level)),
      )
  return found ? `${words.shown(found.row, gloss)},"tStart":${found.tStartMs / 1000}}` : 'null'
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
    channels: channel ? new Set(channel.map((id) => clips.facets.channel(id))) : null,
    maxDurationS: maxDurationS ?? maxClipDurationS,
  }
  return { excluded, facets }
}
