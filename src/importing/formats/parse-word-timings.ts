import { z } from 'zod'
import { fieldPath } from '#corpus/problem.ts'
import { codePointLength } from '#kit/code-points.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { CueTally } from '../cue-tally.ts'
import { anchorWords, type RecognisedWord } from './parse-whisper.ts'
import { cleanText } from './clean-text.ts'
import { secondsOf, untimed, type ParsedFile, type RawCue } from './cue.ts'
import { Rejection } from '../rejection.ts'

/** A longer silence ends a cue, in seconds. */
const gapS = 1
/** Two lines of 42 characters, the usual limit of subtitles. */
const maxCharacters = 84

const timingsSchema = z.array(z.tuple([z.string(), z.number().min(0), z.number().min(0)]))
const seconds = z.number().min(0).nullish()
const times = { start: seconds, end: seconds }
const objectsSchema = z.array(
  z.union([z.object({ word: z.string(), ...times }), z.object({ text: z.string(), ...times })]),
)

/** A word, and whether a space separates it from the one before. */
interface Word extends RecognisedWord {
  apart: boolean
}

/**
 * Parses word timings, `[[" word", start_s, end_s], …]` or `[{"word", "start", "end"}, …]`: if
 * words begin with a space, one without is joined to the word before. They are grouped into cues:
 * at the end of a sentence, at a silence of more than 1 s, and at 84 characters. If most entries
 * are several words, each is a cue (sentence timings look the same).
 *
 * @throws {Rejection} it is no such JSON: with the entry
 */
export function parseWordTimings(json: unknown, language: string, tally: CueTally): ParsedFile {
  const entries = readEntries(json)
  const several = entries.filter(({ text }) => /\S\s+\S/.test(text)).length
  if (several > 0 && several * 2 >= entries.length) return { cues: entries.map(sentenceCue) }
  const groups = groupWords(readWords(entries, language))
  return { cues: groups.map((words) => wordsCue(words, tally)) }
}

function readEntries(json: unknown): RecognisedWord[] {
  const { words, word_segments: segments } = json as Record<string, unknown>
  const list: unknown[] = [json, words, segments].find(Array.isArray)!
  if (list.length > 0 && list.every((item) => typeof item === 'object' && !Array.isArray(item))) {
    return check(objectsSchema, list, '{"word", "start", "end"}').map((entry) =>
      timedWord('word' in entry ? entry.word : entry.text, entry.start, entry.end),
    )
  }
  return check(timingsSchema, list, '[" word", start, end]').map((entry) => timedWord(...entry))
}

function timedWord(text: string, start: unknown, end: unknown): RecognisedWord {
  return { text, start: secondsOf(start), end: secondsOf(end) }
}

function check<T>(schema: z.ZodType<T>, value: unknown, wanted: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Rejection(`entry ${fieldPath(parsed.error.issues[0]!.path)}: wanted ${wanted}`)
}

function sentenceCue({ text, start, end }: RecognisedWord): RawCue {
  if (start === null) return untimed(text, 'no times')
  return { tStart: start, tEnd: end, text: cleanText(text) }
}

function readWords(entries: readonly RecognisedWord[], language: string): Word[] {
  const blanksTell = entries.some(({ text }) => /^\s/.test(text))
  return entries.flatMap((entry) => {
    const text = cleanText(entry.text)
    const apart = blanksTell ? /^\s/.test(entry.text) : !isUnspaced(language)
    return text === '' ? [] : [{ ...entry, text, apart }]
  })
}

function groupWords(words: readonly Word[]): Word[][] {
  const groups: Word[][] = []
  let length = 0
  for (const [i, word] of words.entries()) {
    const before = words[i - 1]
    const added = codePointLength(word.text) + (word.apart ? 1 : 0)
    if (!before || (canPart(word, before) && (isBreak(before, word) || length + added > maxCharacters + 1))) {
      groups.push([])
      length = 0
    }
    groups.at(-1)!.push(word)
    length += added
  }
  return groups
}

/**
 * No cue ends between a word and what is joined to it, except in a language without spaces, where
 * all words are joined.
 */
function canPart(word: Word, before: Word): boolean {
  return word.apart || !/[\p{Script=Latin}\p{N}]/u.test(word.text + before.text)
}

function isBreak(before: Word, word: Word): boolean {
  const silence = word.start !== null && before.end !== null && word.start - before.end > gapS
  return silence || endsSentence(before.text, word.text)
}

/** A full stop after one capital (`J. S. Bach`), or before a small letter, ends no sentence. */
function endsSentence(word: string, next: string): boolean {
  return (
    /[.!?…。！？]["'”’»)\]]*$/u.test(word) &&
    !/^\p{Lu}\.$/u.test(word) &&
    !/^[\p{Ll}.!?…。！？%,]/u.test(next)
  )
}

function wordsCue(words: readonly Word[], tally: CueTally): RawCue {
  const text = words.map(({ text: said, apart }, i) => (i > 0 && apart ? ' ' : '') + said).join('')
  const anchors = anchorWords(text, words, tally)
  if (anchors.length === 0) return untimed(text, 'no times')
  return { tStart: anchors[0]!.time, tEnd: anchors.at(-1)!.time, text, anchors }
}
