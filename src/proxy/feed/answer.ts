import { randomBytes } from 'node:crypto'
import { maxClipDurationS } from '#contract/clip.ts'
import { bandOf, bands, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { textBody } from '../http/body.ts'
import { isError, type Context, type Handler } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { takePage, type FeedFilter, type PageStart } from './take-page.ts'

const pagination = new Pagination('getFeed')

type FeedValues = ParameterValues<'getFeed'>
type FeedPage = PageRequest<'getFeed'>

/** GET /feed (contract 1.5). */
export const feed: Handler<FeedValues, { values: FeedValues; page: FeedPage }> = {
  read(values, context) {
    const page = pagination.read(values, context, () => beginFeed(values))
    return isError(page) ? page : { values, page }
  },
  answer: ({ values, page }, context) => textBody(pageOf(values, startOf(page, context), context)),
  /** A page with a generated seed is never requested again. */
  isRepeatable: ({ values }) => (values.seed ?? values.cursor) !== undefined,
}

function beginFeed({ seed }: FeedValues): FeedPage['bound'] {
  // Drawn only if none was sent: random bytes from the system cost a seventh of a page.
  return { language: defaultLanguage, seed: seed ?? randomBytes(16).toString('base64url') }
}

function startOf({ bound, position }: FeedPage, { release }: Context): PageStart {
  const [domain = release.clips.rangeOf(bound.language).domain, from = 0] = position
  return { bound, domain, position: from }
}

function pageOf(query: FeedValues, start: PageStart, context: Context): string {
  const { clips, words } = context.release
  const { limit = limitRange.default, gloss = defaultGloss } = query
  const { rows, next } = takePage(start, clips, filterOf(query, clips), limit)
  const asked = query.level === undefined ? null : bands.indexOf(bandOf(query.level))
  const items = rows.map((row) => {
    const band = asked ?? bandOfLevel[clips.level(row)]!
    const focus = clips.focusWord(row, band)
    const tStart = clips.focusStartMs(row, band) / 1000
    const focusWord = focus < 0 ? 'null' : `${words.shown(focus, gloss)},"tStart":${tStart}}`
    return `{"clip":${clips.json(row)},"focusWord":${focusWord}}`
  })
  const cursor = pagination.nextCursor(start, next === null ? null : [start.domain, next], context)
  return `{"seed":${JSON.stringify(start.bound.seed)},"items":[${items.join()}],"nextCursor":${JSON.stringify(cursor)}}`
}

/** The index of its band among the bands, by the rank of a level. */
const bandOfLevel = levels.map((level) => bands.indexOf(bandOf(level)))

/** Which clips a request wants. A channel id that names nothing has no clips. */
function filterOf({ exclude, clipLevel, channel, maxDurationS }: FeedValues, clips: ClipTable): FeedFilter {
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
