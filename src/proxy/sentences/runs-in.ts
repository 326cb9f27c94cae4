import { placeOf } from '#release/sentences/posting-list.ts'
import type { Segment } from '#release/sentences/reader.ts'
import type { TokenLists } from './open-query.ts'

/** A run of neighbouring positions at which the tokens of a query are spoken in a row. */
export interface Run {
  /** The position of its first token, from the first one of the clip. */
  position: number
  /** Whether each token is spelled as in the query. */
  isExact: boolean
}

/** The runs of a query in a clip of a segment, ascending. */
export function runsIn(
  clip: number,
  tokens: readonly TokenLists[],
  { positionAt }: Pick<Segment, 'positionAt'>,
): Run[] {
  const [first, end] = [positionAt[clip]!, positionAt[clip + 1]!]
  let runs = new Map<number, boolean>()
  for (const [offset, lists] of tokens.entries()) {
    const before = runs
    runs = new Map()
    for (const { list, isExact } of lists) {
      for (let at = placeOf(first, list, 0); list[at]! < end; at++) {
        const position = list[at]! - first - offset
        const isExactBefore = offset === 0 || before.get(position)
        if (isExactBefore !== undefined) runs.set(position, isExact && isExactBefore)
      }
    }
  }
  return [...runs]
    .map(([position, isExact]) => ({ position, isExact }))
    .sort((a, b) => a.position - b.position)
}
