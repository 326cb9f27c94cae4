import type { Transcript } from '#contract/transcript.ts'
import type { Occurrence } from '#contract/word-clips.ts'
import { codePointLength } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeRun, placeTokens } from '#language/place-tokens.ts'
import type { Term } from '#release/clips/term-vector.ts'
import { isUnspaced } from '#language/unspaced.ts'

/**
 * The tokens that say a word first, as the lists of its clips show them.
 *
 * @throws {RangeError} the transcript has no such token
 */
export function contextOf(
  { cues, language }: Pick<Transcript, 'cues' | 'language'>,
  { tStartMs, runLength, tokensBefore }: Pick<Term, 'tStartMs' | 'runLength' | 'tokensBefore'>,
): Occurrence {
  let before = tokensBefore
  const isFirst = ({ tStart }: { tStart: number }) => Math.round(tStart * 1000) === tStartMs && before-- === 0
  for (const { words, text } of cues) {
    const from = words.findIndex(isFirst)
    if (from < 0) continue
    const said = words.slice(from, from + runLength)
    const keys = words.map((word) => caseKey(word.text, language))
    const places = placeTokens(text, keys, language)
    const { start, end } = placeRun(places, from, from + runLength, text.length)
    return {
      tStart: said[0]!.tStart,
      tEnd: said.at(-1)!.tEnd,
      form: said.map((word) => word.text).join(isUnspaced(language) ? '' : ' '),
      text,
      start: codePointLength(text.slice(0, start)),
      end: codePointLength(text.slice(0, end)),
    }
  }
  throw new RangeError(`cannot show what is said at ${tStartMs} ms: the transcript has no such token`)
}
