/** `context=true` (contract 1.6): "what lies between two sentence ends of the transcript". */
import type { ContextFields } from '#contract/sentence-context.ts'
import type { IndexedClip } from './indexed.ts'
import { isWrittenWithoutSpaces } from './matching.ts'
import { placesOf } from './places.ts'
import type { Gloss } from './source.ts'
import { nfc } from './spelling.ts'

/** An occurrence: its first token, and its last one. */
export type Span = { first: [cue: number, inCue: number]; last: [cue: number, inCue: number] }

type Said = { cue: number; inCue: number; start: number; end: number; isShown: boolean; sentence: number }

/** A part of the joined text, in code points, and its tokens. */
type Stretch = { start: number; end: number; tokens: Said[] }

export function contextOf(clip: IndexedClip, span: Span, gloss: Gloss): ContextFields {
  const { language } = clip.source
  const lines = clip.cues.map(({ source }) => [...nfc(source.text)])
  const gap = isWrittenWithoutSpaces(language) ? [] : [' ']
  const starts = lines.map((_, i) => lines.slice(0, i).flatMap((line) => [...line, ...gap]).length)
  const letters = lines.flatMap((line, i) => (i === 0 ? line : [...gap, ...line]))
  const said = clip.cues.flatMap(({ source, tokens }, cue) => {
    const places = placesOf(tokens, source.text, language)
    return places.map((place, inCue): Said => {
      const before = places.slice(0, inCue).findLast((each) => each !== null)?.end ?? 0
      const { start, end } = place ?? { start: before, end: before }
      const at = starts[cue]!
      return { cue, inCue, start: at + start, end: at + end, isShown: place !== null, sentence: 0 }
    })
  })
  const sentences = sentencesIn(letters, said, language)
  const textOf = ({ start, end }: Stretch) => letters.slice(start, end).join('').trim()
  const isLong = (stretch: Stretch) => [...textOf(stretch)].length > 200
  const at = ([cue, inCue]: [number, number]) => said.find((one) => one.cue === cue && one.inCue === inCue)!
  const { sentence: number } = at(span.first)
  const sentence = sentences[number]!
  const lineText = (cue: number) => (cue in lines ? lines[cue]!.join('').trim() : null)

  const [firstCue, lastCue] = [span.first[0], span.last[0]]
  const inCues = said.filter(({ cue }) => cue >= firstCue && cue <= lastCue)
  const cues = { start: starts[firstCue]!, end: starts[lastCue]! + lines[lastCue]!.length, tokens: inCues }
  const shown = isLong(sentence) ? cues : sentence
  const beside = (step: 1 | -1): string | null => {
    if (isLong(sentence)) return lineText(step < 0 ? firstCue - 1 : lastCue + 1)
    const other = sentences[number + step]
    if (!other) return null
    return isLong(other) ? lineText(other.tokens.at(step < 0 ? -1 : 0)!.cue) : textOf(other)
  }

  const text = textOf(shown)
  const blanks = letters.slice(shown.start).findIndex((letter) => letter.trim() !== '')
  const offset = shown.start + blanks
  const nextShown = said.find(
    ({ cue, inCue, isShown }) => cue === lastCue && inCue >= span.last[1] && isShown,
  )
  const endAt =
    nextShown === undefined
      ? starts[lastCue]! + lines[lastCue]!.length
      : nextShown.inCue === span.last[1]
        ? nextShown.end
        : nextShown.start
  const within = (place: number) => Math.min(Math.max(place - offset, 0), [...text].length)
  const timeOf = ({ cue, inCue }: Said) => clip.cues[cue]!.tokens[inCue]!
  const translations = [...new Set(shown.tokens.map(({ cue }) => cue))].map(
    (cue) => clip.cues[cue]!.source.translations?.[gloss],
  )
  return {
    sentence: {
      text,
      start: within(at(span.first).start),
      end: within(endAt),
      tStart: timeOf(shown.tokens[0]!).tStart,
      tEnd: timeOf(shown.tokens.at(-1)!).tEnd,
      translation: translations.every((translation) => translation !== undefined)
        ? translations.map(nfc).join(isWrittenWithoutSpaces(gloss) ? '' : ' ')
        : null,
    },
    before: beside(-1),
    after: beside(1),
  }
}

/** Numbers the sentence of each token, and returns the sentences. */
function sentencesIn(letters: string[], said: Said[], language: string): Stretch[] {
  const sentences: Stretch[] = []
  let start = 0
  for (const [i, one] of said.entries()) {
    one.sentence = sentences.length
    const next = said[i + 1]
    const end = endBetween(letters, one.end, next?.start ?? letters.length, language)
    if (end === null && next) continue
    const tokens = said.filter(({ sentence }, k) => k <= i && sentence === sentences.length)
    sentences.push({ start, end: end ?? letters.length, tokens })
    start = end ?? letters.length
  }
  return sentences
}

/** "up to the last end mark and the closing quotes and brackets directly behind it" */
function endBetween(letters: string[], from: number, to: number, language: string): number | null {
  const mark = letters.slice(0, to).findLastIndex((letter, i) => i >= from && /[.!?…。！？｡]/u.test(letter))
  if (mark < 0) return null
  const closing = isWrittenWithoutSpaces(language) ? /[\p{Pe}\p{Pf}"'＂＇]/u : /[\p{Pe}\p{Pf}\p{Pi}"']/u
  let end = mark + 1
  while (end < to && closing.test(letters[end]!)) end++
  return end
}
