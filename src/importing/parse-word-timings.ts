import { z } from 'zod'
import { parseRecord } from '#corpus/parse-record.ts'
import type { SourceCue, SourceWord } from '#corpus/source-clip.ts'
import { codePointLength } from '#kit/code-points.ts'
import { roundTime } from '#kit/round.ts'
import { cleanText } from './clean-text.ts'
import type { ParsedSubtitles } from './cue.ts'
import { Rejection } from './rejection.ts'

/** A longer silence ends a cue. */
const gapS = 1
/** Two lines of 42 characters: what subtitles keep to. */
const maxCharacters = 84

const timingsSchema = z.array(z.tuple([z.string(), z.number(), z.number()]))

/**
 * Reads word timings, `[[" word", start_s, end_s], …]`: a word with a leading space is new, one without is joined to the word
 * before. The words are grouped into cues: at the end of a sentence, at a silence of more than 1 s, and at 84 characters.
 *
 * @throws {Rejection} it is no such JSON, or an entry holds several words (sentence timings look the same)
 */
export function parseWordTimings(text: string): ParsedSubtitles {
  const parsed = parseRecord(timingsSchema, text)
  if (!parsed.ok) {
    throw new Rejection(
      parsed.field === undefined ? parsed.reason : `entry ${parsed.field}: wanted [" word", start, end]`,
    )
  }
  return { cues: groupCues(joinWords(parsed.value)), emptyCues: 0 }
}

function joinWords(timings: readonly (readonly [string, number, number])[]): SourceWord[] {
  const words: SourceWord[] = []
  for (const [i, [raw, start, end]] of timings.entries()) {
    const text = cleanText(raw)
    if (text === '') continue
    if (text.includes(' ')) throw new Rejection(`entry [${i}]: "${text.slice(0, 60)}" is more than one word`)
    const last = words.at(-1)
    if (last && !/^\s/.test(raw)) {
      last.text += text
      last.tEnd = roundTime(end)
    } else {
      words.push({ text, tStart: roundTime(start), tEnd: roundTime(end) })
    }
  }
  return words
}

function groupCues(words: readonly SourceWord[]): SourceCue[] {
  const groups: SourceWord[][] = []
  let length = 0
  for (const [i, word] of words.entries()) {
    const before = words[i - 1]
    const added = codePointLength(word.text) + 1
    if (
      !before ||
      endsSentence(before.text, word.text) ||
      word.tStart - before.tEnd > gapS ||
      length + added > maxCharacters + 1
    ) {
      groups.push([])
      length = 0
    }
    groups.at(-1)!.push(word)
    length += added
  }
  return groups.map(toCue)
}

/** A full stop after one capital (`J. S. Bach`), or before a small letter, ends no sentence. */
function endsSentence(word: string, next: string): boolean {
  return /[.!?…。！？]["'”’»)\]]*$/u.test(word) && !/^\p{Lu}\.$/u.test(word) && !/^\p{Ll}/u.test(next)
}

function toCue(words: SourceWord[]): SourceCue {
  return {
    tStart: words[0]!.tStart,
    tEnd: Math.max(...words.map((word) => word.tEnd)),
    text: words.map((word) => word.text).join(' '),
    words,
  }
}
