import { z } from 'zod'
import { fieldPath } from '#corpus/problem.ts'
import { codePointLength } from '#kit/code-points.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection } from '../rejection.ts'
import { cleanText, plainText } from './clean-text.ts'
import { joinPieces, secondsOf, untimed, type Anchor, type ParsedFile, type RawCue } from './cue.ts'
import { isObject } from './detect-format.ts'

type JsonObject = Record<string, unknown>

/** The objects in the first that is a list. */
function objectsIn(...lists: unknown[]): JsonObject[] {
  return (lists.find(Array.isArray) ?? []).filter(isObject)
}

/**
 * Parses YouTube's json3 (`fmt=json3`): events of segments, in milliseconds. Automatic captions
 * give each word an offset. Events without segments set up windows and are no cues.
 */
export function parseJson3(json: unknown): ParsedFile {
  const events = objectsIn((json as JsonObject).events).filter(({ segs }) => Array.isArray(segs))
  const cues = events.map(({ tStartMs, dDurationMs, segs }) => {
    const pieces = objectsIn(segs).map(({ utf8, tOffsetMs }) => ({
      text: typeof utf8 === 'string' ? utf8 : '',
      offsetMs: tOffsetMs,
    }))
    return timedPieces(tStartMs, dDurationMs, pieces)
  })
  return { cues }
}

/**
 * A cue of pieces that start at offsets from its own start, all in milliseconds. json3 and srv3
 * differ only in names. The first piece of automatic captions has no offset.
 */
export function timedPieces(
  startMs: unknown,
  durationMs: unknown,
  pieces: readonly { text: string; offsetMs: unknown }[],
): RawCue {
  const tStart = secondsOf(startMs, 1000)
  const after = (ms: unknown) =>
    secondsOf(ms) === null ? null : secondsOf(Number(startMs) + Number(ms), 1000)
  const joined = joinPieces(pieces.map(({ text, offsetMs }) => ({ raw: text, time: after(offsetMs) })))
  if (tStart === null) return untimed(joined.text)
  return { tStart, tEnd: after(durationMs), ...joined }
}

/** A word as a recogniser timed it, in seconds; null if it could not place the word. */
interface RecognisedWord {
  text: string
  start: number | null
  end: number | null
}

/** How many letters ahead a word is searched for: far more than a recogniser leaves out at once. */
const maxAhead = 1000

/**
 * Where the times of words belong in a text: each word is searched for behind the one before,
 * ignoring whitespace, which some recognisers strip. A word that is not within the next 1,000
 * letters gives no times.
 */
function anchorWords(text: string, words: readonly RecognisedWord[], tally: CueTally): Anchor[] {
  const letters = text.replace(/\s/g, '')
  const anchors: Anchor[] = []
  let cursor = 0
  let lastTime = 0
  for (const { text: raw, start, end } of words) {
    const word = plainText(raw).replace(/\s/g, '')
    const ahead = letters.slice(cursor, cursor + maxAhead + word.length)
    const found = word === '' ? -1 : ahead.indexOf(word)
    const at = found < 0 ? -1 : cursor + found
    if (at >= 0) cursor = at + word.length
    if (start === null || end === null) tally.repair('word without times: interpolated')
    if (at < 0 || start === null || end === null) continue
    if (start < lastTime || end < start) tally.repair('word before its neighbour or its start: clamped')
    const from = Math.max(start, lastTime)
    lastTime = Math.max(end, from)
    anchors.push({ letters: at, time: from }, { letters: cursor, time: lastTime })
  }
  return anchors
}

/**
 * Parses the segments of Whisper, WhisperX and whisper-timestamped, `{"segments": [{start, end,
 * text, words?}]}` or the bare array, and the output of whisper.cpp with `-oj` or `-ojf`,
 * `{"transcription": [{offsets: {from, to}, text, tokens?}]}`, in milliseconds. Words are called
 * `word` or `text`; those that WhisperX could not place have no times.
 */
export function parseWhisper(json: unknown, tally: CueTally): ParsedFile {
  const file = isObject(json) ? json : { segments: json }
  const segments = objectsIn(file.transcription, file.segments)
  const { language } = isObject(file.result) ? file.result : file
  return {
    cues: segments.map((segment) => readSegment(segment, tally)),
    ...(typeof language === 'string' && language !== '' ? { metadata: { language } } : {}),
  }
}

function readSegment(segment: JsonObject, tally: CueTally): RawCue {
  const { text: raw, start, end } = readTimed(segment)
  // `[_BEG_]` and the like are marks of the model.
  const words = objectsIn(segment.words, segment.tokens)
    .map(readTimed)
    .filter((word) => !/^\[_.*\]$/.test(word.text))
  const text = plainText(raw.trim() === '' ? words.map((word) => word.text).join(' ') : raw)
  if (start === null) return untimed(text)
  const anchors = anchorWords(text, words, tally)
  if (anchors.length === 0) return { tStart: start, tEnd: end, text }
  // It spans all its words, because recognisers place some outside their segment.
  const tStart = Math.min(start, anchors[0]!.time)
  return { tStart, tEnd: Math.max(end ?? start, anchors.at(-1)!.time), text, anchors }
}

function readTimed({ word, text, start, end, offsets }: JsonObject): RecognisedWord {
  const { from, to } = isObject(offsets) ? offsets : {}
  const said = [word, text].find((value) => typeof value === 'string') ?? ''
  return {
    text: said,
    start: secondsOf(start) ?? secondsOf(from, 1000),
    end: secondsOf(end) ?? secondsOf(to, 1000),
  }
}

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
