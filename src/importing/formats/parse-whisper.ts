import type { CueTally } from '../cue-tally.ts'
import { anchorWords, type RecognisedWord } from './anchor-words.ts'
import { plainText } from './clean-text.ts'
import { secondsOf, untimed, type ParsedFile, type RawCue } from './cue.ts'
import { isObject } from './detect-json.ts'

/** A segment of any of the programs. Times are in seconds. */
interface WhisperSegment {
  text: string
  start: number | null
  end: number | null
  words: RecognisedWord[]
}

/**
 * Parses the segments of Whisper, WhisperX and whisper-timestamped, `{"segments": [{start, end,
 * text, words?}]}` or the bare array. Words are called `word` or `text`; those that WhisperX could
 * not place have no times.
 */
export function parseWhisper(json: unknown, tally: CueTally): ParsedFile {
  const list = (Array.isArray(json) ? json : (json as { segments: unknown[] }).segments).filter(isObject)
  const segments = list.map((segment) => ({
    text: stringOf(segment.text) ?? '',
    start: secondsOf(segment.start),
    end: secondsOf(segment.end),
    words: objectsIn(segment.words).map(readWord),
  }))
  return toFile(segments, isObject(json) ? json.language : undefined, tally)
}

/**
 * Parses the output of whisper.cpp with `-oj` or `-ojf`: `{"transcription": [{offsets: {from, to},
 * text, tokens?}]}`, in milliseconds.
 */
export function parseWhisperCpp(json: unknown, tally: CueTally): ParsedFile {
  const { transcription, result } = json as { transcription: unknown[]; result?: unknown }
  const segments = transcription.filter(isObject).map((segment) => {
    const offsets = isObject(segment.offsets) ? segment.offsets : {}
    return {
      text: stringOf(segment.text) ?? '',
      start: secondsOf(offsets.from, 1000),
      end: secondsOf(offsets.to, 1000),
      words: objectsIn(segment.tokens).flatMap(readToken),
    }
  })
  return toFile(segments, isObject(result) ? result.language : undefined, tally)
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function toFile(segments: readonly WhisperSegment[], language: unknown, tally: CueTally): ParsedFile {
  const cues = segments.map((segment) => readSegment(segment, tally))
  const said = stringOf(language)
  return { cues, ...(said ? { metadata: { language: said } } : {}) }
}

function readSegment({ text: raw, start, end, words }: WhisperSegment, tally: CueTally): RawCue {
  const text = plainText(raw.trim() === '' ? words.map((word) => word.text).join(' ') : raw)
  if (start === null) return untimed(text)
  const anchors = anchorWords(text, words, tally)
  if (anchors.length === 0) return { tStart: start, tEnd: end, text }
  // It spans all its words, because recognisers place some outside their segment.
  const tStart = Math.min(start, anchors[0]!.time)
  return { tStart, tEnd: Math.max(end ?? start, anchors.at(-1)!.time), text, anchors }
}

function readWord(word: Record<string, unknown>): RecognisedWord {
  return {
    text: stringOf(word.word) ?? stringOf(word.text) ?? '',
    start: secondsOf(word.start),
    end: secondsOf(word.end),
  }
}

/** `[_BEG_]` and the like are marks of the model. */
function readToken(token: Record<string, unknown>): RecognisedWord[] {
  const text = stringOf(token.text) ?? ''
  if (/^\[_.*\]$/.test(text) || !isObject(token.offsets)) return []
  return [{ text, start: secondsOf(token.offsets.from, 1000), end: secondsOf(token.offsets.to, 1000) }]
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
