import { UnknownFormat } from '../rejection.ts'

export type JsonFormat = 'json3' | 'whisper' | 'whisper.cpp' | 'words' | 'word-objects' | 'metadata'

/** The fields that hold the cues or words of a transcript. */
const transcriptFields = ['segments', 'events', 'transcription', 'words', 'word_segments']

/**
 * Detects the format of a JSON value by its fields.
 *
 * @throws {Rejection} it is of no known format
 */
export function classifyJson(json: unknown): JsonFormat {
  if (Array.isArray(json)) return classifyArray(json)
  if (isObject(json)) {
    if (Array.isArray(json.events)) return 'json3'
    if (Array.isArray(json.transcription)) return 'whisper.cpp'
    if (Array.isArray(json.segments)) return 'whisper'
    if (Array.isArray(json.words) || Array.isArray(json.word_segments)) return 'word-objects'
    if (describesVideo(json)) return 'metadata'
  }
  throw new UnknownFormat('is JSON of an unknown kind: neither json3, Whisper nor word timings')
}

function classifyArray(json: unknown[]): JsonFormat {
  const first = json[0]
  if (first === undefined || Array.isArray(first)) return 'words'
  if (isObject(first) && typeof first.start === 'number') {
    return json.some((item) => isObject(item) && Array.isArray(item.words)) ? 'whisper' : 'word-objects'
  }
  if (isObject(first) && 'word' in first) return 'word-objects'
  throw new UnknownFormat('is a JSON array of an unknown kind: neither Whisper segments nor word timings')
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

/** Whether JSON holds a transcript in one of the known formats, valid or not. */
export function holdsTranscript(json: unknown): boolean {
  if (Array.isArray(json)) return true
  return isObject(json) && transcriptFields.some((field) => Array.isArray(json[field]))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
