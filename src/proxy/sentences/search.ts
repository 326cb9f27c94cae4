import type { Release } from '#release/release.ts'
import { placeOf, unite, type PostingList } from '#release/sentences/posting-list.ts'
import type { Segment } from '#release/sentences/reader.ts'
import type { ListCache } from './list-cache.ts'
import type { Query, QueryToken } from './query.ts'
import type { Job } from '../turns.ts'

/** Where the tokens that match a token of a query are said. */
interface TokenPositions {
  /** Those that are spelled as in the query. */
  exact: PostingList
  all: PostingList
}

/** What was found in a segment. */
export interface Found {
  segment: Segment
  /** The positions of each token of the query. */
  tokens: TokenPositions[]
  /** The clips in which the query is said, ascending, and how many runs each has. */
  clips: number[]
  counts: number[]
}

/** Looks a query up in all segments of its language. A long search yields to other requests. */
export async function searchSegments(
  query: Query,
  release: Release,
  cache: ListCache,
  job: Job,
): Promise<Found[]> {
  const found: Found[] = []
  for (const segment of release.sentences.get(query.language) ?? []) {
    const opened = new Map<QueryToken, TokenPositions>()
    for (const token of query.tokens)
      if (!opened.has(token)) opened.set(token, await openToken(token, segment, release, cache, job))
    const tokens = query.tokens.map((token) => opened.get(token)!)
    const lists = tokens.map(({ all }) => all)
    found.push({ segment, tokens, ...(await job.run(countRuns(lists, segment))) })
  }
  return found
}

async function openToken(
  { text, words }: QueryToken,
  segment: Segment,
  release: Release,
  cache: ListCache,
  job: Job,
): Promise<TokenPositions> {
  const exact = await cache.list(release, segment, text, job)
  const lists = [exact]
  for (const word of words) lists.push(await cache.list(release, segment, word, job))
  return { exact, all: await job.run(unite(lists)) }
}

/** How many positions of the rarest token are looked at between two yields. */
const positionsAtOnce = 4096
/** Looking one up in a list takes as long as reading so many. */
const lookUpWork = 10

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are said: each position
 * of the rarest token gives the place where a run with it would begin, and every other token is
 * looked up in its place there. All go forward only. Now and then it yields how much work it has
 * done since, in positions read.
 */
export function* countRuns(
  tokens: readonly PostingList[],
  { positionAt }: Pick<Segment, 'positionAt'>,
): Generator<number, Pick<Found, 'clips' | 'counts'>> {
  const cursors = tokens.map((list, offset) => ({ list, offset, place: 0 }))
  const [rarest, ...others] = cursors.sort((a, b) => a.list.length - b.list.length)
  const clips: number[] = []
  const counts: number[] = []
  const length = rarest?.list.length ?? 0
  for (let from = 0, clip = 0; from < length; from += positionsAtOnce) {
    const to = Math.min(from + positionsAtOnce, length)
    for (let at = from; at < to; at++) {
      const start = rarest!.list[at]! - rarest!.offset
      if (!others.every((token) => isSaid(token, start))) continue
      clip = placeOf(start + 1, positionAt, clip + 1) - 1
      if (clips.at(-1) === clip) counts[counts.length - 1]!++
      else counts[clips.push(clip) - 1] = 1
    }
    yield (to - from) * (1 + others.length * lookUpWork)
  }
  return { clips, counts }
}

/** Whether a token is said in its place of a run that begins at a position. Moves it forward. */
function isSaid(token: { list: PostingList; offset: number; place: number }, start: number): boolean {
  const position = start + token.offset
  token.place = placeOf(position, token.list, token.place)
  return token.list[token.place] === position
}

/** A run of neighbouring positions at which the tokens of a query are said in a row. */
export interface Run {
  /** The position of its first token. */
  start: number
  /** Whether each token is spelled as in the query. */
  isExact: boolean
}

/** The runs of a query in a clip of a segment, ascending. */
export function runsIn(
  clip: number,
  tokens: readonly TokenPositions[],
  { positionAt }: Pick<Segment, 'positionAt'>,
): Run[] {
  const has = (list: PostingList, position: number) => list[placeOf(position, list, 0)] === position
  const [{ all }] = tokens as [TokenPositions]
  const runs: Run[] = []
  for (let at = placeOf(positionAt[clip]!, all, 0); all[at]! < positionAt[clip + 1]!; at++) {
    const start = all[at]!
    if (!tokens.every((token, offset) => has(token.all, start + offset))) continue
    runs.push({ start, isExact: tokens.every(({ exact }, offset) => has(exact, start + offset)) })
  }
  return runs
}
