import { Rejection, UnknownFormat } from '../rejection.ts'

type JsonFormat = 'json3' | 'whisper' | 'whisper.cpp' | 'words' | 'word-objects' | 'metadata'
export type Format =
  'vtt' | 'srt' | 'sbv' | 'starts' | 'stc' | 'tsv' | 'realtext' | 'timedtext' | 'ttml' | JsonFormat

/** The format of a file, and its value if it is JSON. */
export interface Detected {
  format: Format
  json?: unknown
}

/**
 * The signature line of WebVTT (https://www.w3.org/TR/webvtt1/#file-structure): the word alone, or
 * followed by whitespace.
 */
const vttHeader = /^\s*WEBVTT(?=[ \t\r\n]|$)/

/** What a line of times looks like. The first that occurs in a text decides. */
const timingLines = [
  ['srt', /^[ \t]*\d+:[\d:.,]+[ \t]*-->/m],
  ['sbv', /^[ \t]*\d+:\d{1,2}:\d{1,2}[.,]\w{1,4},\d+:\d{1,2}:\d{1,2}[.,]\w{1,4}[ \t]*\r?$/m],
  ['starts', /^[ \t]*\d+:\d{1,2}:\d{1,2}[.,]\d{1,3}[ \t]*\r?$/m],
  ['stc', /^\*TC[ \t]+\d+:\d+:\d+[:;]\d+/m],
  ['tsv', /^start\tend\ttext[ \t]*\r?$/m],
] as const

const xmlFormats = [
  ['realtext', /<time\s[^<>]*\bbegin\s*=/i],
  ['ttml', /<tt[\s>]/i],
  ['timedtext', /<(?:timedtext|transcript)[\s>]/i],
] as const

const otherFormats = [
  ['SubStation Alpha', /^\[Script Info\]|^Dialogue:\s/m],
  ['MicroDVD', /^\{\d+\}\{\d+\}/m],
  ['SAMI', /<SAMI[\s>]/i],
  ['LRC lyrics', /^\[\d+:\d\d(?:\.\d+)?\]/m],
] as const

/** The fields that hold the cues or words of a transcript. */
const transcriptFields = {
  events: 'json3',
  transcription: 'whisper.cpp',
  segments: 'whisper',
  words: 'word-objects',
  word_segments: 'word-objects',
} as const

/**
 * Detects the format from the text alone: extensions mislead (SBV in `.srt`, SRT in `.txt`).
 *
 * @throws {Rejection} the text is of no known format
 */
export function detectFormat(text: string): Detected {
  const head = text.trimStart()
  if (head === '') throw new Rejection('is empty')
  if (vttHeader.test(text)) return { format: 'vtt' }
  if (head.startsWith('{') || head.startsWith('[')) {
    try {
      const json: unknown = JSON.parse(head)
      return { format: jsonFormatOf(json), json }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      if (/^[{[]\s*(?:["{[\]}]|$)/.test(head) && firstTiming(text) === null)
        throw new Rejection(`is invalid or truncated JSON: ${error.message}`)
    }
  }
  if (head.startsWith('<')) {
    const xml = xmlFormats.find(([, pattern]) => pattern.test(text))
    if (xml) return { format: xml[0] }
  }
  const timing = firstTiming(text)
  if (timing !== null) return { format: timing }
  const other = otherFormats.find(([, pattern]) => pattern.test(text))
  if (other) throw new Rejection(`is ${other[0]}, which is not supported: convert it to WebVTT or SRT`)
  throw new UnknownFormat(
    'is not a subtitle file: neither WebVTT, SubRip (SRT), SubViewer (SBV), YouTube json3, srv or TTML, Whisper JSON nor word timings',
  )
}

function firstTiming(text: string): (typeof timingLines)[number][0] | null {
  const found = timingLines
    .map(([format, pattern]) => ({ format, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
  return found.toSorted((a, b) => a.at - b.at)[0]?.format ?? null
}

function jsonFormatOf(json: unknown): JsonFormat {
  if (Array.isArray(json)) return arrayFormatOf(json)
  const field = transcriptFieldOf(json)
  if (field !== undefined) return transcriptFields[field]
  if (describesVideo(json)) return 'metadata'
  throw new UnknownFormat('is JSON of an unknown kind: neither json3, Whisper nor word timings')
}

function arrayFormatOf(json: unknown[]): JsonFormat {
  const first = json[0]
  if (first === undefined || Array.isArray(first)) return 'words'
  if (isObject(first) && typeof first.start === 'number') {
    return json.some((item) => isObject(item) && Array.isArray(item.words)) ? 'whisper' : 'word-objects'
  }
  if (isObject(first) && 'word' in first) return 'word-objects'
  throw new UnknownFormat('is a JSON array of an unknown kind: neither Whisper segments nor word timings')
}

function transcriptFieldOf(json: unknown) {
  const fields = Object.keys(transcriptFields) as (keyof typeof transcriptFields)[]
  return isObject(json) ? fields.find((field) => Array.isArray(json[field])) : undefined
}

/** Whether JSON holds a transcript in one of the known formats, valid or not. */
export function holdsTranscript(json: unknown): boolean {
  return Array.isArray(json) || transcriptFieldOf(json) !== undefined
}

/**
 * Whether an object describes a video: yt-dlp's info, a YouTube player response, or a plain
 * sidecar.
 */
export function describesVideo(json: unknown): boolean {
  if (!isObject(json)) return false
  if ('videoDetails' in json || 'playabilityStatus' in json) return true
  if ('videoId' in json && !('cues' in json)) return true
  return 'title' in json && ('channel' in json || 'uploader' in json || 'extractor' in json || 'id' in json)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
