import type { Transcript } from '#contract/transcript.ts'
import type { Occurrence } from '#contract/word-clips.ts'
import { codePointLength } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeRun, placeTokens } from '#language/place-tokens.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { Release } from '#release/release.ts'
import type { FileCache } from '../http/caches.ts'

/**
 * The tokens that say a word first in a clip, out of its transcript, as the lists of the word's
 * clips show them.
 *
 * @throws {RangeError} the transcript has no such token
 */
export async function contextOf(
  row: number,
  wordRow: number,
  language: string,
  release: Release,
  files: FileCache,
): Promise<Occurrence> {
  const term = new TermVectorReader()
  const { first } = release.words.rangeOf(language)
  release.clips.readTerms(row, term)
  while (term.nextFirst() && first + term.words[term.place]! !== wordRow);
  const { tStartMs, runLength } = term
  const file = await files.read(release, release.clips.transcriptFile(row))
  const { cues } = JSON.parse(file.bytes.toString()) as Transcript
  let before = term.tokensBefore
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
