import { codePointLength } from '#kit/code-points.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection, Skip, UnknownFormat } from '../rejection.ts'
import { describesVideo, isObject, type JsonObject } from '../video/metadata.ts'
import { cleanText, plainText } from './clean-text.ts'
import {
  countLetters,
  secondsOf,
  severalWords,
  timedPieces,
  type Anchor,
  type FoundCue,
  type ParsedFile,
} from './cue.ts'

/** The fields that hold the cues or words of a transcript, with the format and its parser. */
const transcriptFields = {
  events: ['json3', parseJson3],
  transcription: ['whisper.cpp', parseWhisper],
  segments: ['whisper', parseWhisper],
  chunks: ['transformers', parseWordTimings],
  words: ['word-objects', parseWordTimings],
  word_segments: ['word-objects', parseWordTimings],
} as const

function transcriptFieldOf(json: unknown) {
  const fields = Object.keys(transcriptFields) as (keyof typeof transcriptFields)[]
  return isObject(json) ? fields.find((field) => Array.isArray(json[field])) : undefined
}

/** Whether JSON contains a transcript in one of the known formats, valid or not. */
export function holdsTranscript(json: unknown): boolean {
  return Array.isArray(json) || transcriptFieldOf(json) !== undefined
}

/**
 * Parses the JSON of YouTube, of recognisers, and word timings.
 *
 * @throws {Rejection} it is not in any of these formats
 * @throws {Skip} it describes a video
 */
export function parseJson(json: unknown, language: string, tally: CueTally): ParsedFile & { format: string } {
  const [format, parse] = kindOf(json)
  return { format, ...parse(json, tally, language), metadata: languageIn(json) }
}

/** Returns the language that a recogniser names, under any of the names in use. */
function languageIn(json: unknown): { language?: string } {
  const file = isObject(json) ? json : {}
  const { language, language_code: code } = isObject(file.result) ? file.result : file
  const name = [language, code].find((value) => typeof value === 'string')
  return name ? { language: name } : {}
}

function kindOf(json: unknown): readonly [format: string, parse: typeof parseWordTimings] {
  const field = transcriptFieldOf(json)
  if (field !== undefined) return transcriptFields[field]
  if (describesVideo(json)) throw new Skip('describes a video, but has no subtitles')
  if (!Array.isArray(json))
    throw new UnknownFormat('is JSON in an unknown format. It must be json3, Whisper JSON or word timings')
  const first: unknown = json[0]
  if (first === undefined || Array.isArray(first)) return ['words', parseWordTimings]
  if (!isObject(first) || !('word' in first || typeof first.start === 'number' || 'timestamp' in first))
    throw new UnknownFormat(
      'is a JSON array in an unknown format. It must contain Whisper segments or word timings',
    )
  const hasSegments = json.some((item) => isObject(item) && Array.isArray(item.words))
  return transcriptFields[hasSegments ? 'segments' : 'words']
}

/** Returns the objects in the first argument that is a list. */
function objectsIn(...lists: unknown[]): JsonObject[] {
  return (lists.find(Array.isArray) ?? []).filter(isObject)
}

/**
 * Parses YouTube's json3 (`fmt=json3`): events of segments, in milliseconds. Automatic captions
 * give each word an offset. Events without segments set up windows and are not cues.
 */
function parseJson3(json: unknown): ParsedFile {
  const events = objectsIn((json as JsonObject).events).filter(({ segs }) => Array.isArray(segs))
  const cues = events.map(({ tStartMs, dDurationMs, segs }) => {
    const segments = objectsIn(segs).filter(({ utf8 }) => typeof utf8 === 'string')
    const pieces = segments.map(({ utf8, tOffsetMs }) => ({ raw: String(utf8), offsetMs: tOffsetMs }))
    return timedPieces(tStartMs, dDurationMs, pieces)
  })
  return { cues }
}

/** A word with its times from a recogniser, in seconds; null if it could not locate the word. */
interface RecognisedWord {
  text: string
  start: number | null
  end: number | null
}

/** How many letters ahead a word is searched for. No recogniser leaves out as many. */
const maxAhead = 1000

/** Punctuation that belongs to the word before it. */
const closingMarks = /^(?:[.,!?…;:)\]”’»。、！？]|["'](?!\p{L}))+/u

/**
 * Finds the positions of the times of words in a text. Each word is searched for after the previous
 * one, ignoring whitespace, which some recognisers strip. A word that is not within the next 1,000
 * letters adds no times.
 */
function anchorWords(text: string, words: readonly RecognisedWord[], tally: CueTally): Anchor[] {
  const letters = text.replace(/\s/g, '')
  const anchors: Anchor[] = []
  let cursor = 0
  let lastTime = 0
  const wordLetters = words.map(({ text: raw }) => plainText(raw).replace(/\s/g, ''))
  for (const [i, { start, end }] of words.entries()) {
    const word = wordLetters[i]!
    const ahead = letters.slice(cursor, cursor + maxAhead + word.length)
    const place = word === '' ? -1 : ahead.indexOf(word)
    const at = cursor + place
    if (place >= 0) cursor = at + word.length
    if (start === null || end === null) tally.repair('word without times: interpolated')
    if (place < 0 || start === null || end === null) continue
    if (start < lastTime || end < start) tally.repair('word before its neighbour or its start: clamped')
    const from = Math.max(start, lastTime)
    lastTime = Math.max(end, from)
    // Punctuation that is not part of the words lasts no longer than the word before it.
    const isPunctuationTimed = closingMarks.test(wordLetters[i + 1] ?? '')
    const marks = isPunctuationTimed ? '' : (closingMarks.exec(letters.slice(cursor, cursor + 8))?.[0] ?? '')
    anchors.push({ letters: at, time: from }, { letters: cursor + marks.length, time: lastTime })
  }
  return anchors
}

/** The silence that ends a cue, in seconds. */
const gapS = 1

/** A segment of a recogniser, with its words if it has any. */
interface Segment extends RecognisedWord {
  words: RecognisedWord[]
}

/**
 * Parses the segments of recognisers, `{"segments": [{start, end, text, words?}]}` or the bare
 * array (Whisper, WhisperX, whisper-timestamped, podcasts), those of whisper.cpp with `-oj` or
 * `-ojf`, `{"transcription": [{offsets: {from, to}, text, tokens?}]}`, in milliseconds. Words are
 * called `word` or `text`; those that WhisperX could not place have no times. OpenAI's
 * `verbose_json` has them in one list beside the segments.
 */
function parseWhisper(json: unknown, tally: CueTally): ParsedFile {
  const file = isObject(json) ? json : { segments: json }
  const entries = objectsIn(file.transcription, file.segments)
  const segments = entries.map(readSegment)
  const words = objectsIn(file.words, file.word_segments)
  if (segments.every((segment) => segment.words.length === 0)) divideWords(words.map(readTimed), segments)
  const times = segments.flatMap((segment) => [segment, ...segment.words])
  if (areMilliseconds(times)) times.forEach(divideTimes)
  return { cues: segments.map((segment) => segmentCue(segment, tally)) }
}

function readSegment(segment: JsonObject): Segment {
  // `[_BEG_]` and the like are markers of the model.
  const words = objectsIn(segment.words, segment.tokens)
    .map(readTimed)
    .filter((word) => !/^\[_.*\]$/.test(word.text))
  const timedWords = readTimed(segment)
  const isEmpty = timedWords.text.trim() === ''
  return { ...timedWords, text: isEmpty ? words.map((word) => word.text).join(' ') : timedWords.text, words }
}

/**
 * Assigns each word to the segment whose text it continues, ignoring whitespace. Segments that end
 * more than a second before the word, or start as much after it, are not searched.
 */
function divideWords(words: readonly RecognisedWord[], segments: readonly Segment[]): void {
  const segmentLetters = segments.map(({ text }) => plainText(text).replace(/\s/g, ''))
  let at = 0
  let cursor = 0
  for (const word of words) {
    while (at < segments.length && (segments[at]!.end ?? Infinity) < (word.start ?? 0) - gapS) {
      at++
      cursor = 0
    }
    const letters = plainText(word.text).replace(/\s/g, '')
    const latest = (word.end ?? Infinity) + gapS
    for (let next = at, from = cursor; letters !== '' && next < segments.length; next++, from = 0) {
      if ((segments[next]!.start ?? 0) > latest) break
      const place = segmentLetters[next]!.indexOf(letters, from)
      if (place < 0) continue
      segments[next]!.words.push(word)
      at = next
      cursor = place + letters.length
      break
    }
  }
}

function segmentCue({ text: raw, start, end, words }: Segment, tally: CueTally): FoundCue {
  const text = plainText(raw)
  if (start === null) return 'times cannot be read'
  const anchors = anchorWords(text, words, tally)
  if (anchors.length === 0) return { tStart: start, tEnd: end, text, raw, anchors }
  // The cue spans all its words, because recognisers place some outside their segment.
  const tStart = Math.min(start, anchors[0]!.time)
  return { tStart, tEnd: Math.max(end ?? start, anchors.at(-1)!.time), text, raw, anchors }
}

function readTimed(entry: JsonObject): RecognisedWord {
  const { word, text, body, start, end, startTime, endTime, offsets, timestamp, duration } = entry
  const { from, to } = isObject(offsets) ? offsets : {}
  const [first, last] = Array.isArray(timestamp) ? timestamp : []
  return {
    text: [word, text, body].find((value) => typeof value === 'string') ?? '',
    start: secondsOf(start ?? startTime ?? first) ?? secondsOf(from, 1000),
    end: secondsOf(end ?? endTime ?? last ?? Number(start) + Number(duration)) ?? secondsOf(to, 1000),
  }
}

/** The most seconds that anyone takes for a letter. */
const slowestLetterS = 3

/** Whether times are whole numbers that would make most words too slow if they were seconds. */
function areMilliseconds(entries: readonly RecognisedWord[]): boolean {
  const lengths = entries.flatMap(({ text, start, end }) =>
    start === null || end === null || end <= start ? [] : [(end - start) / Math.max(1, countLetters(text))],
  )
  const isWhole = ({ start, end }: RecognisedWord) =>
    Number.isInteger(start ?? 0) && Number.isInteger(end ?? 0)
  const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1]
  return median !== undefined && median > slowestLetterS && entries.every(isWhole)
}

function divideTimes(entry: RecognisedWord): void {
  entry.start = secondsOf(entry.start, 1000)
  entry.end = secondsOf(entry.end, 1000)
}

/** Two lines of 42 characters, the usual limit of subtitles. */
const maxCharacters = 84

/**
 * Parses word timings, `[[" word", start_s, end_s], …]`, `[{"word", "start", "end"}, …]`, or the
 * `{"chunks": [{"text", "timestamp": [start, end]}]}` of transformers: if words start with a space,
 * one without is joined to the previous word. They are grouped into cues: at the end of a sentence,
 * at a silence of more than 1 s, and at 84 characters. If most entries are several words, each is a
 * cue (sentence timings look the same).
 *
 * @throws {Rejection} it is not such JSON; the message names the entry
 */
function parseWordTimings(json: unknown, tally: CueTally, language: string): ParsedFile {
  const { words, word_segments: segments, chunks } = json as JsonObject
  const list: unknown[] = [json, words, segments, chunks].find(Array.isArray)!
  const entries = list.map(readEntry)
  if (areMilliseconds(entries)) entries.forEach(divideTimes)
  const several = entries.filter(({ text }) => severalWords.test(text)).length
  if (several > 0 && several * 2 >= entries.length) return { cues: entries.map(sentenceCue) }
  const blanksTell = entries.some(({ text }) => /^\s+\S/.test(text))
  const spacedEntries = entries.map((entry) => {
    const isApart = blanksTell ? /^\s/.test(entry.text) : !isUnspaced(language)
    return { ...entry, text: (isApart ? ' ' : '') + cleanText(entry.text) }
  })
  const groups = groupWords(spacedEntries.filter(({ text }) => text.trim() !== ''))
  return { cues: groups.map((group) => wordsCue(group, tally)) }
}

/** Reads `[" word", start, end]` or `{"word", "start", "end"}`. */
function readEntry(entry: unknown, i: number): RecognisedWord {
  const [text, start, end] = Array.isArray(entry) ? entry : []
  const fields: JsonObject = isObject(entry) ? entry : { text, start, end }
  if (typeof (fields.word ?? fields.text) === 'string') return readTimed(fields)
  throw new Rejection(
    `has an invalid entry [${i}]. It must be [" word", start, end] or {"word", "start", "end"}`,
  )
}

function sentenceCue({ text, start, end }: RecognisedWord): FoundCue {
  return start === null
    ? 'no times'
    : { tStart: start, tEnd: end, text: cleanText(text), raw: text, anchors: [] }
}

/** Groups words, which start with a space if they are separate from the previous one, into cues. */
function groupWords(words: readonly RecognisedWord[]): RecognisedWord[][] {
  const groups: RecognisedWord[][] = []
  let length = 0
  for (const [i, word] of words.entries()) {
    const before = words[i - 1]
    const wordLength = codePointLength(word.text)
    if (
      !before ||
      (canPart(word, before) && (isBreak(before, word) || length + wordLength > maxCharacters + 1))
    ) {
      groups.push([])
      length = 0
    }
    groups.at(-1)!.push(word)
    length += wordLength
  }
  return groups
}

/**
 * Whether a cue may end between two words. It may not if they are joined, except in a language
 * without spaces, where all words are joined.
 */
function canPart(word: RecognisedWord, before: RecognisedWord): boolean {
  return word.text.startsWith(' ') || !/[\p{Script=Latin}\p{N}]/u.test(word.text + before.text)
}

/**
 * Whether a sentence ends between two words. A full stop after one capital (`J. S. Bach`), or
 * before a lower-case letter, does not end one.
 */
function isBreak(before: RecognisedWord, word: RecognisedWord): boolean {
  if (word.start !== null && before.end !== null && word.start - before.end > gapS) return true
  return (
    /[.!?…。！？]["'”’»)\]]*$/u.test(before.text) &&
    !/^ ?\p{Lu}\.$/u.test(before.text) &&
    !/^ ?[\p{Ll}.!?…。！？%,]/u.test(word.text)
  )
}

function wordsCue(words: readonly RecognisedWord[], tally: CueTally): FoundCue {
  const text = words
    .map((word) => word.text)
    .join('')
    .trimStart()
  const anchors = anchorWords(text, words, tally)
  if (anchors.length === 0) return 'no times'
  return { tStart: anchors[0]!.time, tEnd: anchors.at(-1)!.time, text, raw: text, anchors }
}
