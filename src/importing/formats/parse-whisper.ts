import { isObject } from './detect-format.ts'
import type { CueTally } from '../cue-tally.ts'
import { plainText } from './clean-text.ts'
import { secondsOf, untimed, type Anchor, type ParsedFile, type RawCue } from './cue.ts'

/** A word as a recogniser timed it, in seconds; null if it could not place the word. */
export interface RecognisedWord {
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
export function anchorWords(text: string, words: readonly RecognisedWord[], tally: CueTally): Anchor[] {
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

type JsonObject = Record<string, unknown>

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

/** The objects in the first that is a list. */
function objectsIn(...lists: unknown[]): JsonObject[] {
  return (lists.find(Array.isArray) ?? []).filter(isObject)
}
